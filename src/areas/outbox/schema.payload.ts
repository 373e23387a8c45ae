import { type TObject, type TProperties, Type } from "@sinclair/typebox";

// All payloads of events share these. `id` is the caller's id and `entityId` the internal one (docs/webhooks.md).

export const Id = Type.String();
export const IsoTime = Type.String({ description: "ISO 8601, UTC" });
export const Named = Type.Object({ id: Id });
export const MoneyAmount = Type.Object({ amount: Type.Number(), currency: Type.String() });

/** Payloads allow additional fields, because later versions may add some. */
export const payload = <Fields extends TProperties>(fields: Fields): TObject<Fields> => Type.Object(fields);
