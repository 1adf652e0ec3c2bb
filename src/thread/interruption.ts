/** Why a run stops before its workflow does. Thrown through agents, never shown to a model. */
export class Interruption extends Error {
  readonly kind: "paused" | "cancelled" | "drain" | "limit" | "moved" | "lost";

  constructor(kind: Interruption["kind"], message: string) {
    super(message);
    this.name = "Interruption";
    this.kind = kind;
  }
}
