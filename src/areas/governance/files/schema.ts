import { type Static, Type } from "@sinclair/typebox";
import { literals, nullable } from "../../../kernel/schema";
import { AssignmentItem, limited } from "../schema";

/** Our choice (docs/interface/governance.md#budgets-as-a-file): one transaction applies a file in about a third of a second. */
export const fileBudgetsMax = 1_000;

const { entityId, featureId, currencyId, parentId, scopeEntityIds, hasSoftLimit, allocated } =
	AssignmentItem.properties;

/** A budget of a file. It is complete: an omitted field has its default. */
export const FileBudget = Type.Object(
	{
		...{ entityId, featureId, currencyId },
		/** Default: a root. */
		parentId,
		/** Default: the budget of the whole entity. */
		scopeEntityIds,
		/** `usageLimit: null` means no limit. */
		...limited,
		/** Default: false, as for `allocated`. */
		hasSoftLimit,
		allocated,
	},
	{ $id: "FileBudget", additionalProperties: false },
);
export type FileBudget = Static<typeof FileBudget>;

export const BudgetFile = Type.Object(
	{ budgets: Type.Array(FileBudget, { maxItems: fileBudgetsMax }) },
	{ $id: "BudgetFile", additionalProperties: false },
);
export type BudgetFile = Static<typeof BudgetFile>;

const place = {
	entityId: Type.String(),
	/** One of the two. */
	featureId: Type.Optional(Type.String()),
	currencyId: Type.Optional(Type.String()),
	scopeEntityIds: Type.Array(Type.String()),
};

const FieldValue = nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

const BudgetChange = Type.Object({
	action: literals("add", "change"),
	/** Its index in the file. */
	index: Type.Integer(),
	...place,
	/** The changed fields; all fields of a new budget. */
	fields: Type.Array(Type.Object({ name: Type.String(), before: Type.Optional(FieldValue), after: FieldValue })),
});
export type BudgetChange = Static<typeof BudgetChange>;

export const BudgetDifference = Type.Object(
	{
		changes: Type.Array(BudgetChange),
		/** Budgets that the file does not have. They stay. */
		kept: Type.Array(Type.Object(place)),
	},
	{ $id: "BudgetDifference" },
);
export type BudgetDifference = Static<typeof BudgetDifference>;
