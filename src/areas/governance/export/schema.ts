import { type Static, Type } from "@sinclair/typebox";
import { queryInteger } from "../../../kernel/query";
import { TreeQuery } from "../schema";

/** Our choice (docs/interface/governance.md#budgets-as-csv): the number of rows in a response, unless the caller requests fewer. */
export const csvRowsMax = 1_000;

const { after, featureIds, currencyIds, entityTypeIds } = TreeQuery.properties;

export const BudgetsCsvQuery = Type.Object(
	{ after, limit: Type.Optional(queryInteger(1, csvRowsMax)), featureIds, currencyIds, entityTypeIds },
	{ additionalProperties: false },
);
export type BudgetsCsvQuery = Static<typeof BudgetsCsvQuery>;
