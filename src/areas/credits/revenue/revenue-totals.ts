import { plus } from "../../../kernel/decimal";
import type { CreditRevenueRow } from "../table";
import { noRevenue, type RevenueDay, revenueStart } from "./rules.tally";

/** Sums revenue by day and month for one environment, as the table stores it. */
export class RevenueTotals {
	readonly #environmentId: string;
	readonly #rows = new Map<string, CreditRevenueRow>();

	constructor(environmentId: string) {
		this.#environmentId = environmentId;
	}

	add(currencyId: string, days: readonly RevenueDay[]): void {
		for (const { grantType, costCurrency, day, ...worth } of days)
			for (const span of ["day", "month"] as const) {
				const of = { currencyId, grantType, costCurrency, span, at: revenueStart(span, day) };
				const before = this.#rows.get(revenueKey(of)) ?? { environmentId: this.#environmentId, ...of, ...noRevenue };
				this.#rows.set(revenueKey(of), {
					...before,
					granted: plus(before.granted, worth.granted),
					recognised: plus(before.recognised, worth.recognised),
					breakage: plus(before.breakage, worth.breakage),
					voided: plus(before.voided, worth.voided),
				});
			}
	}

	rows(): ReadonlyMap<string, CreditRevenueRow> {
		return this.#rows;
	}
}

export const revenueKey = ({
	currencyId,
	grantType,
	costCurrency,
	span,
	at,
}: Omit<CreditRevenueRow, "environmentId" | keyof typeof noRevenue>): string =>
	`${currencyId} ${grantType} ${costCurrency} ${span} ${at}`;
