/**
 * Makes an element; texts become text, never markup.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | boolean | undefined | ((event: Event) => void)>} [attributes] A function listens to the event `on…`.
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  fill(made, attributes, children);
  return made;
};

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | null)} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export const shape = (name, attributes, ...children) => {
  const made = document.createElementNS(SVG, name);
  fill(made, attributes, children);
  return made;
};

/**
 * @param {Element} made
 * @param {Record<string, string | boolean | undefined | ((event: Event) => void)>} attributes
 * @param {(Node | string | null)[]} children
 */
const fill = (made, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (typeof value === "string") made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
};
