import { type Static, Type } from "@sinclair/typebox";
import { ExactNumber } from "../../kernel/number-schema";
import { createdAtQuery, pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { DisplayName, literals, nullable, RefId } from "../../kernel/schema";

// Our addition. The interface has one tax percentage for a subscription.

const closed = { additionalProperties: false };

const TaxStatus = literals("ACTIVE", "ARCHIVED");
export type TaxStatus = Static<typeof TaxStatus>;

/** Five decimals are enough for every rate in use, such as 8.875 percent. `assertDecimals` counts them. */
const Percentage = ExactNumber({ exclusiveMinimum: 0, maximum: 100 });
const Country = Type.String({ pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2" });
const Code = Type.String({ minLength: 1, maxLength: 255 });

/** Our limit on the taxes of one line. */
const taxesMax = 20;

/** The ids of taxes. An empty list means no tax; null inherits the taxes of the next level. */
export const TaxRefs = Type.Array(RefId, { maxItems: taxesMax });
export type TaxRefs = Static<typeof TaxRefs>;

const terms = {
	isInclusive: Type.Optional(Type.Boolean()),
	country: Type.Optional(nullable(Country)),
	code: Type.Optional(nullable(Code)),
};

export const TaxCreate = Type.Object({ id: RefId, displayName: DisplayName, percentage: Percentage, ...terms }, closed);
export type TaxCreate = Static<typeof TaxCreate>;

/** Only the name can change. The other fields may repeat their values. */
export const TaxUpdate = Type.Object(
	{ displayName: Type.Optional(DisplayName), percentage: Type.Optional(Percentage), ...terms },
	closed,
);
export type TaxUpdate = Static<typeof TaxUpdate>;

export const TaxListQuery = Type.Object(
	{
		...pageQuery,
		...createdAtQuery,
		id: Type.Optional(Type.String({ maxLength: 255 })),
		status: Type.Optional(queryList("ACTIVE", "ARCHIVED")),
	},
	closed,
);
export type TaxListQuery = Static<typeof TaxListQuery>;

export const Tax = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		percentage: Type.Number(),
		isInclusive: Type.Boolean(),
		country: nullable(Type.String()),
		code: nullable(Type.String()),
		status: TaxStatus,
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "Tax" },
);
export type Tax = Static<typeof Tax>;
