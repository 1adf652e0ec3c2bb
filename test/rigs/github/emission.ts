/** Something that happens in a repository and that the emulator does not tell. */
export type Emission = {
  event: string;
  repository: string;
  /** The login of who caused it. */
  by: string;
  payload: Record<string, unknown> & { action?: string };
};

export type Emit = (emission: Emission) => Promise<void>;
