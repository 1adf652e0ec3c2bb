/** One field of a message: a number for varints and fixed values, bytes for everything of a given length. */
export type Field = { number: number; value: bigint | Uint8Array };

/** The fields of a protobuf message, in order (https://protobuf.dev/programming-guides/encoding/). */
export const fieldsOf = (message: Uint8Array): Field[] => {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Uint8Array => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        fields.push({ number, value: varint() });
        break;
      case 1:
        fields.push({ number, value: view.getBigUint64(at, true) });
        at += 8;
        break;
      case 2:
        fields.push({ number, value: bytes(Number(varint())) });
        break;
      case 5:
        fields.push({ number, value: BigInt(view.getUint32(at, true)) });
        at += 4;
        break;
      default:
        throw new Error(`no protobuf message: a field has the wire type ${tag & 7}`);
    }
  }
  return fields;
};
