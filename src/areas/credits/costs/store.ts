import { and, eq, sql } from "drizzle-orm";
import type { Instant } from "../../../kernel/clock";
import { type Decimal, zero } from "../../../kernel/decimal";
import { saveRow } from "../../../kernel/storage/rows";
import type { Transaction, Work } from "../../../kernel/work";
import { creditPricedUnits } from "./table";

const { placeholder } = sql;

/** The units of a feature in one usage period. Row ids, and the caller's id of the resource; empty for none. */
export interface PricedUnitsKey {
	readonly customerId: string;
	readonly featureId: string;
	readonly resourceRef: string;
	readonly periodStart: Instant;
}

const pricedUnits = (tx: Transaction) =>
	tx
		.select({ units: creditPricedUnits.units })
		.from(creditPricedUnits)
		.where(
			and(
				eq(creditPricedUnits.customerId, placeholder("customerId")),
				eq(creditPricedUnits.featureId, placeholder("featureId")),
				eq(creditPricedUnits.resourceRef, placeholder("resourceRef")),
				eq(creditPricedUnits.periodStart, placeholder("periodStart")),
			),
		)
		.prepare();

export const selectPricedUnits = (work: Work, key: PricedUnitsKey): Decimal =>
	work.prepared(pricedUnits).get({ ...key })?.units ?? zero;

export const savePricedUnits = (work: Work, key: PricedUnitsKey, units: Decimal): void =>
	saveRow(work, creditPricedUnits, { ...key, units });
