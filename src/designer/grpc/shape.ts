import { z } from "zod";

/** What a message of the file is made of, by the numbers of its fields. */
export type Shape = ReadonlyMap<number, FieldShape>;
/** Text and inner messages come with their length; all other fields of the file are whole numbers. */
export type FieldShape = "text" | "number" | { inner: Shape };

/** A message's description, as far as it is needed here. */
type Description = z.output<typeof Description>;
const Description = z.object({
  name: z.string(),
  field: z.array(z.object({ number: z.int(), type: z.string(), typeName: z.string() })),
  get nestedType() {
    return z.array(Description);
  },
});
const Described = z.object({ type: Description });

/** The shape of a message, by its name in the package; `loaded`: what the loader has read from the file. */
export const shapeOf = (loaded: Readonly<Record<string, unknown>>, packageName: string) => {
  const shapeNamed = (name: string): Shape => shapeIn(Described.parse(loaded[`${packageName}.${name}`]).type);
  const shapeIn = ({ field, nestedType }: Description): Shape =>
    new Map(
      field.map(({ number, type, typeName }): [number, FieldShape] => {
        if (type === "TYPE_STRING") return [number, "text"];
        if (type !== "TYPE_MESSAGE") return [number, "number"];
        const nested = nestedType.find(({ name }) => name === typeName);
        return [number, { inner: nested === undefined ? shapeNamed(typeName) : shapeIn(nested) }];
      }),
    );
  return shapeNamed;
};
