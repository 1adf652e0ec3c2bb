/** What is to be solved. `number` and `url` are null for an issue that is on no forge. */
export type GivenIssue = { title: string; body: string; number: number | null; url: string | null };
