import { callComment, reasonToCall } from "../../src/forge/text/call.ts";
import { designComment } from "../../src/forge/text/design-comment.ts";
import { liveComment } from "../../src/forge/text/live-comment.ts";
import { noticeComment } from "../../src/forge/text/notice.ts";
import { pullRequestBody } from "../../src/forge/text/pull-request-body.ts";
import type { ThreadView } from "../../src/forge/text/thread-view.ts";
import { designTurn, receipt, states, thread, unfinished } from "./example-views.ts";

/** The page on what people see, made by the code that writes it on a forge. */
export const whatPeopleSee = (): string =>
  `${[
    "# What people see",
    INTRODUCTION,
    "## The comment",
    COMMENT,
    ...states.flatMap(({ title, view }) => [`### ${title}`, quoted(liveComment(view))]),
    "## A call",
    CALL,
    ...states.filter(({ view }) => reasonToCall(view) !== null).map(({ view }) => quoted(call(view))),
    "## An answer where nothing has begun",
    ANSWER,
    quoted(
      noticeComment({ to: "ada", text: "`/solv` is no command; did you mean `/solve`? `/help` shows all." }),
    ),
    "## A conversation",
    CONVERSATION,
    quoted(designComment(designTurn, { thread, step: 4, to: "ada" })),
    "## The pull request",
    PULL_REQUEST,
    quoted(pullRequestBody({ body: BODY, issue: 12, receipt })),
    "### Unfinished",
    "Work that stopped at its budget is pushed as a draft that says what is left.",
    quoted(
      pullRequestBody({
        body: "The parser reads `500ms` now. Its tests are not adapted yet.",
        issue: 12,
        partial: unfinished,
        receipt,
      }),
    ),
  ].join("\n\n")}\n`;

const INTRODUCTION = `<!-- Made by \`npm run docs\` from the code that writes these texts: change that. -->

Somebody labels an issue or writes a command; a 👀 says that it was seen, or 😕 that who asked may not ask. From then on there is one
comment on the issue, edited in place, one pull request, and on its commits a check called \`uwf\`. Edits send no mail: whoever
follows the issue gets one mail when work begins, and the one who asked for it another when a person is needed.`;

const COMMENT = `It says how the work stands, who is at it, what has been done, what it cost and what is left of the budget, and which commands
help now; commands that the repository has switched off are not offered. What each role did is under its name, by the step's
number, which \`/fork\` takes. While a role works on, time and cost are at most two minutes old.`;

const CALL = `When a person is needed (a plan to approve, a question, a spent budget, work that failed), a comment of one line mentions whoever
asked for the work. There is at most one, and it is taken away when the work goes on. Work that is done needs none: the
pull request asks for a review.`;

const ANSWER = `A command that cannot be obeyed is answered in the comment, below its first line. Where there is none yet, one comment for all such
answers holds the last one.`;

const CONVERSATION = `Where [the designer](designer.md#on-an-issue) makes a workflow on an issue, each of its turns is a comment of its own, which mentions
whoever asked for it and stays: with questions, ways to choose from, and, once there is one, the graph and the file. The live comment
says whether an answer is awaited.`;

const PULL_REQUEST = `The text is the submitter's; what it closes and the receipt are the bot's. The receipt names the workflow and the prompts by their
hashes, every model, the commands that were run, and the cost.`;

const BODY = `\`500ms\` was read as 500 minutes: the unit was cut to its first letter.

The parser now reads the whole unit, and refuses units that it does not know. \`npm test\` passes (41 tests, one of them new).`;

const call = (view: ThreadView): string =>
  callComment({
    ...{ thread, stamp: `${view.state} 1795291740000`, to: view.requester ?? "" },
    ...{ reason: reasonToCall(view) ?? "", url: "https://github.com/acme/parser/issues/12#issuecomment-1" },
  });

const quoted = (text: string): string => text.replace(/^/gm, "> ").replace(/[ ]+$/gm, "");
