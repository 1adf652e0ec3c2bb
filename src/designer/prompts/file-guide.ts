/** How a workflow file is written, for a model. */
export const FILE_GUIDE = `A workflow file, by example:

\`\`\`yaml
version: 1
name: tidy
description: Fix what the linter finds.
roles:
  fixer:
    description: Runs the linter and fixes what it finds.
    systemPrompt: |
      You are the **fixer**. Run the linter, fix what it finds and nothing else, and run it again at the end.
      Answer \`nothing\` when it found nothing.
    tools: [read_file, patch_file, search_files, shell_exec, git_diff]
    limits: { maxTurns: 60, timeoutMinutes: 20, budgetUsd: 1 }
    schema:
      type: object
      additionalProperties: false
      required: [status, summary]
      properties:
        status: { enum: [done, nothing, blocked] }
        summary: { type: string, description: What was fixed, in a sentence. }
  submitter:
    description: Writes the pull request.
    publish: pull-request
    systemPrompt: You are the **submitter**. Write the title and the text of a pull request for the change in this repository.
    tools: [read_file, git_diff, git_log]
    schema:
      type: object
      required: [title, body]
      properties: { title: { type: string }, body: { type: string } }
moderator:
  - { from: $START, to: fixer }
  - { from: fixer, to: submitter, when: 'output.status == "done"', prompt: "The change: {{ summary }}" }
  - { from: fixer, to: fixer, when: 'output.status == "blocked" && visits.fixer < 3', prompt: "Try another way: {{ summary }}" }
  - { from: fixer, to: $SUSPEND, when: 'output.status == "blocked"', prompt: "Blocked: {{ summary }}" }
  - { from: fixer, to: $END }
  - { from: submitter, to: $END }
\`\`\`

Rules
- Names of roles and of the workflow: letters, digits, dots, dashes, underscores.
- Each role has \`systemPrompt\` and \`schema\`; or \`workflow: <name>\` (another workflow plays it) and \`schema\`, and then neither
  systemPrompt, tools, model nor limits. \`tools\` lists what it may use; without it, every built-in tool. A role that only looks gets
  no write_file, patch_file or shell_exec. Tools of an MCP server are \`server:tool\`. \`model\` names a configured model; leave it out
  unless the person wants a certain one. \`approval: required\`: a person approves what it answers before anything follows.
- \`publish: pull-request\` needs a schema that requires title and body as strings; \`publish: review\` requires body. Roles never push,
  commit or open anything themselves.
- \`schema\` is JSON Schema 2020-12 of an object. Not supported: not, if/then/else, dependentRequired, dependentSchemas,
  unevaluated*, $dynamicRef, remote $ref. How a role's work ended is a required field \`status\` with an \`enum\`; every value has an edge.
- The edges of a role are tried in order, and the first whose \`when\` holds is taken: put the special before the general, and end with one that
  has no \`when\`, so that something always holds. Every role is reached from $START, and $END is reached from every role.
- \`when\` is CEL over \`output\` (the answer of the role that the edge leaves), \`steps.<role>\` (last answers), \`visits.<role>\` (how often it
  has worked), \`input\` (the thread's text) and \`trigger\` (label, review, checks, solve, plan, run, fix, ci, or empty). Behind $START there is
  no \`output\`. A field that is not required is asked for first: \`has(output.note) && output.note != ""\`. Every loop is bounded by \`visits\`.
- \`prompt\` is a Liquid template and becomes the next role's task: fields of the last answer (\`{{ summary }}\`), \`{{ steps.fixer.summary }}\`
  for roles that have surely worked, \`{{ input }}\`. Fields that may be missing need \`{{ note | default: "none" }}\` or \`{% if note %}\`.
  Without \`prompt\` the task is \`input\`. Tell a role all that it needs: it sees its own prompt and task, not the others' talk.
- Write systemPrompts with care: begin with "You are the **<role>**", then what to do and how, what to leave alone, how to check the work,
  and what each field of the answer should say. Be concrete about this workflow; no empty advice.
- Few roles with clear work beat many. Looking, changing and judging are separate roles only where that helps.`;
