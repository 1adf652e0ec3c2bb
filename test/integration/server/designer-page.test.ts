import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anIssue } from "../../fixtures/intake-parts.ts";
import { chromiumIsHere, openBrowser } from "../../rigs/browser.ts";
import { type DesignerHttp, designerHttp } from "../../rigs/designer-http.ts";
import { triageFile, triageNode, triageStory, triageWords } from "../../rigs/designer-story.ts";

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
  /** The page takes nothing before the last answer is whole. */
  const isFree = (page: Page) => page.locator(".say button.first:enabled").waitFor();
  const type = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel("What you say").fill(text);
    await isFree(page);
    await page.keyboard.press("Enter");
  };
  /** By the form, by the keyboard, and by a card, as it comes. */
  const talk = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Begin" }).click();
    await answer(page).getByText("What should the workflow do?").waitFor();
    await type(page, "I want to sort new issues");
    const kinds = page.getByRole("group", { name: /Which kinds are there/ });
    await kinds.getByLabel("Another answer").fill("Bugs and questions");
    await page
      .getByRole("group", { name: /What begins it/ })
      .getByRole("textbox")
      .fill("a label");
    await isFree(page);
    await page.getByRole("button", { name: "Answer" }).click();
    await answer(page).getByText("Right?").waitFor();
    await type(page, "Please mail me the result, too");
    await answer(page).getByText("It also mails").waitFor();
    await type(page, "Yes, exactly");
    await page.getByRole("button", { name: "Choose this: Answer only" }).waitFor();
  };
  const choose = async (page: Page): Promise<void> => {
    await isFree(page);
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
    expect(await http.rig.store.workflowHash("triage")).toBe(await triageNode());
  });

  it("runs what was made, by the keyboard alone, and says where it stands or why it does not run", async () => {
    await using http = await designerHttp(triageStory, { forges: ["github", "forgejo"] });
    http.forge.issues.set(12, { ...anIssue(), labels: [] });
    await using seen = await opened(http);
    const { page } = seen;
    await talk(page);
    expect(await page.getByText("Run it").count()).toBe(0);
    await choose(page);
    // All is shown that came of it.
    await page.locator("#say:focus").waitFor();

    await page.getByText("Run it").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.locator(".run select:focus").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.type("acme/parser");
    await page.keyboard.press("Tab");
    await page.keyboard.type("13");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("no such one").waitFor();
    await page.getByLabel("Issue, by its number").fill("12");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Begin with the newest.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");

    const told = page.getByRole("status").filter({ hasText: "It has begun, as thread" });
    await told.waitFor();
    await picture(page, "run-light-wide");
    const [thread] = await http.rig.store.threads({ limit: 2 });
    expect(await told.textContent()).toContain(thread?.id);
    expect(await told.getByRole("link").getAttribute("href")).toBe(anIssue().url);
    expect(thread).toMatchObject({ workflow: "triage", subject: "github/17/acme/parser#12" });
    // The browser itself notes that a request was refused.
    expect(seen.problems).toEqual([expect.stringContaining("404")]);
  });

  it("starts a workflow once when the answer to its start was lost", async () => {
    await using http = await designerHttp(triageStory);
    http.forge.issues.set(12, { ...anIssue(), labels: [] });
    const session = await http.open();
    for (const words of triageWords) await http.say(session, words);
    await using seen = await opened(http, { locale: "zh-CN" });
    const { page } = seen;
    await page.getByRole("button", { name: "开始" }).waitFor();
    await page.goto(`${http.url}/designer#${session}`);
    let lost = 0;
    await page.route("**/run", async (route) => {
      await route.fetch();
      await (lost++ === 0 ? route.abort() : route.continue());
    });

    await page.getByText("运行", { exact: true }).click();
    expect(await page.getByLabel("所在平台").count()).toBe(0);
    await page.getByLabel("仓库").fill("acme/parser");
    await page.getByLabel("Issue 编号").fill("12");
    await page.getByRole("button", { name: "开始" }).click();
    await page.getByRole("alert").getByText("不会重复运行").waitFor();
    await page.getByRole("button", { name: "开始" }).click();

    await page.getByRole("status").filter({ hasText: "已开始" }).waitFor();
    expect(await http.rig.store.threads({ limit: 2 })).toHaveLength(1);
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
