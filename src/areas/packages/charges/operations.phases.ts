import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { defaultCurrencyOf } from "../../access/operations";
import { currencyOfCharge } from "../../pricing/models/charge";
import { chargesOf } from "../operations";
import { modelPath, pricingAt } from "../rules.field-paths";
import { pricesOfPhases, type StoredPhase, storedPhases } from "../rules.phases";
import type { VersionRow } from "../table";
import { pricesOf } from "./operations";
import { assertCharges } from "./rules";
import { assertPhaseTerms, pricingOfPhase } from "./rules.phases";
import { withCurrencies } from "./rules.price-list";
import type { PackageCharges, PhaseChargesInput, Phases } from "./schema";

/**
 * Returns the phases of a subscription as they are stored. Their prices pass the checks of a plan's prices; without a currency, they
 * are in that of the plan. `where` is their path. Throws the errors of a draft's charges, with that path, and UnsupportedParameter
 * for prices that Tollgate counts by the catalogue.
 */
export function subscriptionPhases(work: Work, plan: VersionRow, asked: Phases, where: string): StoredPhase[] {
	const priced: PackageCharges = withCurrencies({ pricingType: "PAID", phases: asked }, currencyOfPlan(work, plan));
	const phases = priced.phases ?? [];
	return pricingAt(
		where,
		() => {
			assertCharges("PLAN", priced);
			assertPhaseTerms(phases, "PAID", true);
			return storedPhases(phases, "charges.phases", (requested, place) => {
				assertSoldToOne(`${place}.charges`, requested);
				const pricing = pricingOfPhase(requested, "PAID");
				const held = pricesOfPhases(plan.phases).flatMap(({ taxes }) => taxes ?? []);
				const prices = pricingAt(`${place}.charges`, () => pricesOf(work, plan, pricing, held));
				return { requested, prices, isOwn: true };
			});
		},
		"charges.phases",
	);
}

function currencyOfPlan(work: Work, { id }: VersionRow): string {
	const rows = chargesOf(work, id).filter(({ billingCountryCode }) => billingCountryCode === null);
	return rows.map(currencyOfCharge).find((currency) => currency !== undefined) ?? defaultCurrencyOf(work);
}

/** Throws for prices that need a limit of the plan, or that count usage for all customers. */
function assertSoldToOne(where: string, { pricingModels = [], overagePricingModels = [] }: PhaseChargesInput): void {
	if (overagePricingModels.length > 0)
		throw fail(
			"UnsupportedParameter",
			`${where}.overagePricingModels: overage belongs to the limits of a plan; price it in the phases of the plan.`,
		);
	pricingModels.forEach(({ billingModel, groupBy = [], pricePeriods }, at) => {
		const counted =
			billingModel === "CREDIT_BASED"
				? "'billingModel' CREDIT_BASED"
				: groupBy.length > 0
					? "'groupBy'"
					: pricePeriods.some(({ variants = [] }) => variants.length > 0)
						? "'variants'"
						: pricePeriods.some(({ transactionPrice }) => transactionPrice)
							? "'transactionPrice'"
							: undefined;
		if (counted === undefined) return;
		throw fail(
			"UnsupportedParameter",
			`${where}${modelPath("pricingModels", at).slice("charges".length)}: ${counted} is counted for all customers; price it in the phases of a plan.`,
		);
	});
}
