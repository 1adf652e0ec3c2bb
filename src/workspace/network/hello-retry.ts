const HANDSHAKE = 22;
const SERVER_HELLO = 2;
const CHANGE_CIPHER_SPEC = Buffer.from([20, 3, 3, 0, 1, 1]);
/** What a server's random is when it asks for another ClientHello (RFC 8446, section 4.1.3). */
const RETRY = Buffer.from("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", "hex");
/** Of a record, a handshake message and a ServerHello's version. */
const BEFORE_RANDOM = 5 + 4 + 2;

/** Whether a server's first bytes ask for another ClientHello; null while that is not clear. */
export const asksForRetry = (bytes: Buffer): boolean | null => {
  const expected = [HANDSHAKE, 3, null, null, null, SERVER_HELLO];
  const differs = expected.some((value, at) => value !== null && at < bytes.length && bytes[at] !== value);
  const random = bytes.subarray(BEFORE_RANDOM, BEFORE_RANDOM + RETRY.length);
  if (differs || !random.equals(RETRY.subarray(0, random.length))) return false;
  return random.length === RETRY.length ? true : null;
};

/** Clients may say this before their second ClientHello, for what stands on the way (section D.4). */
export const withoutChangeCipherSpec = (bytes: Buffer): Buffer =>
  bytes.subarray(0, CHANGE_CIPHER_SPEC.length).equals(CHANGE_CIPHER_SPEC)
    ? bytes.subarray(CHANGE_CIPHER_SPEC.length)
    : bytes;

/** Whether these bytes may yet turn out to be that. */
export const mayBeginChangeCipherSpec = (bytes: Buffer): boolean =>
  bytes.length < CHANGE_CIPHER_SPEC.length && bytes.equals(CHANGE_CIPHER_SPEC.subarray(0, bytes.length));
