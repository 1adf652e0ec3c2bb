/** GitHub sends at most 25 MB; more is refused before it is read. */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;
