// Asks longline before each tool call of opencode. Written by `longline init`.
//
// Whatever goes wrong before a call refuses it: opencode shows the model the text
// of the error and goes on. A time limit is ours to keep, opencode has none.
import { spawnSync } from "node:child_process"

const COMMAND = __COMMAND__
const TIMEOUT = 10_000

function ask(request) {
  const run = spawnSync(COMMAND[0], COMMAND.slice(1), {
    input: JSON.stringify(request),
    encoding: "utf8",
    timeout: TIMEOUT,
    killSignal: "SIGKILL",
  })
  if (run.error) throw new Error(`longline did not answer (${run.error.message}); the call was refused`)
  if (run.status !== 0) throw new Error(`longline failed; the call was refused\n${run.stderr}`)
  return JSON.parse(run.stdout)
}

function judge(request) {
  const answer = ask(request)
  if (!["allow", "pass", "deny"].includes(answer.decision)) throw new Error("longline gave no answer; the call was refused")
  return answer
}

export const Longline = async ({ client, directory, worktree }) => {
  const allowed = new Set() // calls that opencode need not ask about
  return {
    "tool.execute.before": async (input, output) => {
      const answer = judge({ event: "tool.execute.before", input, output, directory, worktree })
      if (answer.decision === "deny") throw new Error(answer.reason)
      // Only a change in place counts; a new args object would be ignored.
      if (answer.command !== undefined) output.args.command = answer.command
      if (answer.decision === "allow") allowed.add(input.callID)
    },
    "tool.execute.after": async (input, output) => {
      if (typeof output?.output !== "string") return
      let answer = {}
      try {
        answer = ask({ event: "tool.execute.after", input, output: { output: output.output }, directory, worktree })
      } catch {} // the tool has run, and the next call is refused
      if (answer.output !== undefined) output.output = answer.output
      if (answer.context !== undefined) output.output += "\n\n" + answer.context
    },
    event: async ({ event }) => {
      if (event.type !== "permission.asked") return
      const { id, sessionID, tool } = event.properties
      if (!tool || !allowed.has(tool.callID)) return
      await client.postSessionIdPermissionsPermissionId({
        path: { id: sessionID, permissionID: id },
        body: { response: "once" },
      })
    },
  }
}
