import { calls } from "../../../src/llm/scripted-model.ts";
import type { ModelScript, ScriptMessage } from "../model-script.ts";

/** Looks wherever secrets are known to lie, and writes some of what it finds backwards and in base64. */
const PRY = `echo prying; env; for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do tr '\\0' '\\n' <"$f"; done
cat ~/.netrc ~/.git-credentials ~/.ssh/* ~/.aws/credentials .git/config ../.env ../../.env ../../../.env
git config --list --show-origin; ls -la / ~ .. ../..; cat /etc/shadow; env | base64; env | rev; env | xxd -p
find / -maxdepth 6 -not -path '/proc/*' -not -path '/usr/*' \\( -name '.env' -o -name uwf.db -o -name config.yaml -o -name '*.pem' \\) -exec cat {} +
echo pried`;

/** A script whose first role pries before it does its work; the third answer of the model's server is `failure`. */
export const pryingScript = (script: ModelScript, failure: string): ModelScript => {
  let asked = 0;
  return async (request) => {
    if (++asked === 3) return { fault: "status", status: 500, body: { error: { message: failure } } };
    const { messages } = request;
    const own = messages.findIndex(({ role }) => role === "assistant");
    const isFirst = messages.some(
      ({ role, content }) => role === "system" && content.includes("**preparer**"),
    );
    if (!isFirst) return script(request);
    if (own === -1) return calls("shell_exec", { command: PRY });
    return script({ ...request, messages: withoutRound(messages, own) });
  };
};

const withoutRound = (messages: readonly ScriptMessage[], at: number): ScriptMessage[] => {
  const ids = messages[at]?.toolCalls.map(({ id }) => id) ?? [];
  return messages.filter((message, index) => index !== at && !ids.includes(message.callId ?? ""));
};
