/** Whether somebody has paused the thread on purpose; else it stands at a limit. */
export const isPausedByPerson = ({ reason }: { reason: string | null }): boolean =>
  reason?.startsWith("Paused by ") ?? false;
