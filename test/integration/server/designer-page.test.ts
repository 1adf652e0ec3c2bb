import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chromiumIsHere, openBrowser } from "../../rigs/browser.ts";
import { type DesignerHttp, designerHttp } from "../../rigs/designer-http.ts";
import { triageFile, triageStory } from "../../rigs/designer-story.ts";

/** Where pictures go, when they are asked for: `SCREENSHOTS=docs/images`. */
const pictures = process.env.SCREENSHOTS;

describe.skipIf(!chromiumIsHere())("the designer's page, in Chromium", { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  }, 60_000);
  afterAll(() => browser.close());

  type Opened = { page: Page; problems: string[] } & AsyncDisposable;
  const opened = async (
    { url, token }: DesignerHttp,
    {
      locale = "en-US",
      width = 1280,
      dark = false,
    }: { locale?: string; width?: number; dark?: boolean } = {},
  ): Promise<Opened> => {
    const colorScheme = dark ? ("dark" as const) : ("light" as const);
    const context = await browser.newContext({ locale, colorScheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(`${url}/designer`);
    await page.locator("input[type=password]").fill(token);
    await page.keyboard.press("Enter");
    return { page, problems, [Symbol.asyncDispose]: () => context.close() };
  };

  const answer = (page: Page) => page.getByRole("log");
  /** By the form, by the keyboard, and by a card, as it comes. */
  const talk = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Begin" }).click();
    await answer(page).getByText("What should the workflow do?").waitFor();
    await page.getByLabel("What you say").fill("I want to sort new issues");
    await page.keyboard.press("Enter");
    const kinds = page.getByRole("group", { name: /Which kinds are there/ });
    await kinds.getByLabel("Another answer").fill("Bugs and questions");
    await page
      .getByRole("group", { name: /What begins it/ })
      .getByRole("textbox")
      .fill("a label");
    await page.getByRole("button", { name: "Answer" }).click();
    await answer(page).getByText("Right?").waitFor();
    await page.getByLabel("What you say").fill("Please mail me the result, too");
    await page.keyboard.press("Enter");
    await answer(page).getByText("It also mails").waitFor();
    await page.getByLabel("What you say").fill("Yes, exactly");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Choose this: Answer only" }).waitFor();
  };
  const choose = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Choose this: Answer only" }).click();
    await answer(page).getByText("is ready").waitFor();
  };
  const picture = async (page: Page, name: string): Promise<void> => {
    if (pictures === undefined) return;
    await mkdir(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/designer-${name}.png` });
  };

  it.each([
    ["light-wide", { dark: false, width: 1280 }],
    ["dark-narrow", { dark: true, width: 400 }],
    ["dark-wide", { dark: true, width: 1280 }],
    ["light-narrow", { dark: false, width: 400 }],
  ])("makes a workflow, drawn with how its edges fared (%s)", async (name, look) => {
    await using http = await designerHttp(triageStory);
    await using seen = await opened(http, look);
    const { page } = seen;

    await talk(page);
    await picture(page, `alternatives-${name}`);
    await choose(page);
    await picture(page, name);

    const graph = page.getByRole("img", { name: /workflow triage as a graph of 1 roles and 4 edges/ });
    expect(await graph.locator(".edge.good").count()).toBe(4);
    expect(await page.getByRole("cell", { name: "✓ taken" }).count()).toBe(4);
    expect(await page.locator("pre code").textContent()).toBe(triageFile);
    expect(await page.locator("#stage").textContent()).toBe("Ready to run");
    expect(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")).toBe(true);
    expect(seen.problems).toEqual([]);
    expect(await http.rig.store.workflowHash("triage")).toBeDefined();
  });

  it("goes on where it was, after the page was closed", async () => {
    await using http = await designerHttp(triageStory);
    await using first = await opened(http);
    await talk(first.page);

    await using again = await opened(http);
    await again.page.getByRole("button", { name: /Make a new workflow ·/ }).click();
    await choose(again.page);

    expect(await answer(again.page).getByText("Please mail me the result, too").count()).toBe(1);
    expect([...first.problems, ...again.problems]).toEqual([]);
  });

  it("speaks Chinese with those whose browser does", async () => {
    await using http = await designerHttp(triageStory);
    await using seen = await opened(http, { locale: "zh-CN" });

    await seen.page.getByRole("button", { name: "开始" }).click();

    await expect.poll(() => seen.page.locator("html").getAttribute("lang")).toBe("zh-CN");
    await answer(seen.page).getByText("工作流").first().waitFor();
    await picture(seen.page, "chinese");
    expect(seen.problems).toEqual([]);
  });

  it("asks again for a token that the server does not know", async () => {
    await using http = await designerHttp(triageStory);
    await using seen = await opened({ ...http, token: "wrong" } as DesignerHttp);

    await seen.page.getByRole("alert").getByText("does not know this token").waitFor();
    await seen.page.locator("input[type=password]").fill(http.token);
    await seen.page.keyboard.press("Enter");

    await seen.page.getByRole("button", { name: "Begin" }).waitFor();
  });
});
