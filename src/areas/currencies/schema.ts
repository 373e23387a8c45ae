import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../kernel/page";
import { queryList } from "../../kernel/query";
import { Description, DisplayName, Metadata, nullable, RefId } from "../../kernel/schema";

/** Symbols and names of units are short, because they appear next to numbers. */
const Label = Type.String({ maxLength: 64 });

/** Both labels are required together (docs/interface/catalogue.md). */
const UnitLabels = Type.Object({ singular: Label, plural: Label }, { additionalProperties: false });

export const CurrencyCreate = Type.Object(
	{
		id: RefId,
		displayName: DisplayName,
		description: Type.Optional(Description),
		symbol: Type.Optional(Label),
		units: Type.Optional(UnitLabels),
		metadata: Type.Optional(Metadata),
	},
	{ additionalProperties: false },
);
export type CurrencyCreate = Static<typeof CurrencyCreate>;

/** An omitted field stays unchanged. Null and the empty text clear (docs/interface/http.md, docs/interface/catalogue.md). */
export const CurrencyUpdate = Type.Object(
	{
		displayName: Type.Optional(DisplayName),
		description: Type.Optional(nullable(Description)),
		symbol: Type.Optional(nullable(Label)),
		units: Type.Optional(UnitLabels),
		metadata: Type.Optional(nullable(Metadata)),
	},
	{ additionalProperties: false },
);
export type CurrencyUpdate = Static<typeof CurrencyUpdate>;

export const AssociatedEntity = Type.Object({
	id: Type.String(),
	displayName: Type.String(),
	/** `Plan` or `Addon`. */
	type: Type.String(),
});

export const CurrencyListQuery = Type.Object(
	{ ...pageQuery, status: Type.Optional(queryList("ACTIVE", "ARCHIVED")) },
	{ additionalProperties: false },
);
export type CurrencyListQuery = Static<typeof CurrencyListQuery>;

export const CustomCurrency = Type.Object(
	{
		id: Type.String(),
		displayName: Type.String(),
		description: nullable(Type.String()),
		symbol: nullable(Type.String()),
		units: nullable(Type.Object({ singular: nullable(Type.String()), plural: nullable(Type.String()) })),
		metadata: Metadata,
		archivedAt: nullable(Type.String()),
		createdAt: Type.String(),
		updatedAt: Type.String(),
	},
	{ $id: "CustomCurrency" },
);
export type CustomCurrency = Static<typeof CustomCurrency>;
