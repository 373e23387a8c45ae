import { FormatRegistry, Kind, type Static, type TSchema, Type } from "@sinclair/typebox";
import { parseInstant } from "./clock";
import { currencyCodes } from "./money";

FormatRegistry.Set("instant", (text) => parseInstant(text) !== undefined);

/** Source: docs/interface/README.md#the-eight-endpoints. */
export const idLengthMax = 255;

/** Source: docs/interface/README.md#the-eight-endpoints. A customer's id also admits "@". */
export const RefId = Type.String({ minLength: 1, maxLength: idLengthMax, pattern: "^[a-zA-Z0-9][a-zA-Z0-9_|.-]*$" });
export const CustomerRefId = Type.String({
	minLength: 1,
	maxLength: idLengthMax,
	pattern: "^[a-zA-Z0-9][a-zA-Z0-9_|.@-]*$",
});

/** Our choice (docs/interface/http.md#limits): no row grows without bound. */
export const DisplayName = Type.String({ minLength: 1, maxLength: 255 });
export const Description = Type.String({ maxLength: 4096 });

export const Email = Type.String({ maxLength: 320, pattern: "^[^\\s@]+@[^\\s@]+$", description: "an e-mail address" });

/** Our choice (docs/interface/http.md#limits): no row grows without bound. */
const Line = Type.String({ maxLength: 255 });

export const Address = Type.Object(
	{
		city: Type.Optional(Line),
		country: Type.Optional(Line),
		line1: Type.Optional(Line),
		line2: Type.Optional(Line),
		postalCode: Type.Optional(Line),
		state: Type.Optional(Line),
	},
	{ additionalProperties: false },
);
export type Address = Static<typeof Address>;

export type TaxId = Static<typeof TaxId>;
export const TaxId = Type.Object({ type: Line, value: Line }, { additionalProperties: false });

/** Our limit on the number of tax numbers. */
export const TaxIds = Type.Array(TaxId, { maxItems: 20 });

/** An ISO 8601 date-time with a zone; see `parseInstant`. In OpenAPI it shows as a string. */
export const Timestamp = Type.String({
	format: "instant",
	maxLength: 64,
	description: "ISO 8601 date-time with a zone",
});

/** A map of strings. Our choice (docs/interface/http.md#limits): 100 keys of 255 characters, values of 4096. */
export const Metadata = Type.Record(Type.String({ maxLength: 255 }), Type.String({ maxLength: 4096 }), {
	maxProperties: 100,
});

export const Currency = Type.Unsafe<string>(
	Type.String({
		enum: [...currencyCodes],
		pattern: `^(${currencyCodes.join("|")})$`,
		description: "ISO 4217, lower case",
		expects: "must be a currency of ISO 4217, such as usd",
	}),
);

/** `amount` in major units: 12.5 is twelve dollars fifty. */
export const Money = Type.Object({ amount: Type.Number(), currency: Currency }, { additionalProperties: false });

export const literals = <const T extends readonly string[]>(...values: T) =>
	Type.Unsafe<T[number]>(Type.String({ enum: [...values], pattern: `^(${values.join("|").replaceAll(".", "\\.")})$` }));

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * A response schema. Validating every response costs about 40% of the throughput (measured), so only tests do it. Elsewhere the schema
 * only documents, by a kind that the validator accepts.
 */
export const answer = <T extends TSchema>(schema: T): T =>
	process.env.NODE_ENV === "test" ? schema : ({ ...schema, [Kind]: "Any" } as T);

/** A body that another thread reads and validates as text. This schema documents it. */
export const textOf = (schema: TSchema) => Type.Unsafe<string>({ ...schema, [Kind]: "Any" });

/** Cursors of the neighboring pages. Both keys are always present, and null at the ends. */
export const Pagination = Type.Object({ next: nullable(Type.String()), prev: nullable(Type.String()) });

export const single = <T extends TSchema>(schema: T) => answer(Type.Object({ data: schema }));
export const listOf = <T extends TSchema>(schema: T) =>
	answer(
		Type.Object({
			data: Type.Array(schema),
			pagination: Pagination,
		}),
	);
