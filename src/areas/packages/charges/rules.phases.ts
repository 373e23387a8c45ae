import { fail } from "../../../kernel/errors";
import { chargesFor, notBilledWithin, type OfferedCharge, offeredPeriods } from "../../pricing/choice/price";
import { periodText } from "../../pricing/rules.billing-period";
import { phasePath, refuse } from "../rules.field-paths";
import { assertPhases, type StoredPhase } from "../rules.phases";
import type { PackageKind } from "../schema";
import type { PackageCharges, PhaseChargesInput, Phases } from "./schema";

const where = "charges.phases";

/** Our limits. The row of a version or of a subscription contains the prices of its phases. */
const bytesMax = { plan: 262_144, own: 32_768 };

/** Throws if the phases of a pricing do not fit, or are those of an addon, of a free plan, or of a plan that contracts bill. */
export function assertPlanPhases(kind: PackageKind, { pricingType, phases = [] }: PackageCharges): void {
	if (phases.length === 0) return;
	if (kind === "ADDON") throw refuse(where, "an addon has no phases; set them on the plan.");
	if (pricingType === "FREE") throw refuse(where, "a FREE plan charges nothing; leave them out.");
	if (pricingType === "CUSTOM")
		throw fail("UnsupportedParameter", `${where}: a contract bills a CUSTOM plan; leave them out.`);
	assertPhases(phases, where);
	assertPhaseTerms(phases, pricingType);
}

/** Throws BadUserInput for prices of a phase with terms that hold in all phases, and for prices that a row cannot contain. */
export function assertPhaseTerms(phases: Phases, pricingType: PackageCharges["pricingType"], isOwn = false): void {
	phases.forEach(({ charges }, at) => {
		if (!charges) return;
		const place = phasePath(at);
		if (charges.pricingType !== undefined && charges.pricingType !== pricingType)
			throw refuse(place, `'pricingType' is that of the plan, ${pricingType}; leave it out.`);
		if (charges.overageBillingPeriod !== undefined)
			throw refuse(place, "'overageBillingPeriod' holds in all phases; set it in the charges of the plan.");
		const atEvent = charges.pricingModels?.findIndex(({ paymentTime }) => paymentTime === "AT_EVENT") ?? -1;
		if (atEvent !== -1)
			throw fail(
				"UnsupportedParameter",
				`${place}.pricingModels[${atEvent}].paymentTime: each event charges prices of the plan or an addon, and none of a phase; leave AT_EVENT out, or use a phase with 'percentOff'.`,
			);
		const limited = charges.overagePricingModels?.findIndex((one) => one.entitlement ?? one.creditEntitlement) ?? -1;
		if (limited !== -1)
			throw refuse(
				`${place}.overagePricingModels[${limited}]`,
				"a limit holds in all phases; set it in the entitlements of the plan, and leave 'entitlement' and 'creditEntitlement' out.",
			);
	});
	const bytes = Buffer.byteLength(JSON.stringify(phases.map(({ charges }) => charges ?? null)));
	const most = isOwn ? bytesMax.own : bytesMax.plan;
	if (bytes > most)
		throw refuse(where, `the prices of all phases have ${bytes} bytes, and the maximum is ${most}; use fewer prices.`);
}

/** Returns the pricings of the phases with their places. */
export const pricingsOf = ({ pricingType, phases = [] }: PackageCharges) =>
	phases.flatMap(({ charges }, at) =>
		charges ? [{ place: phasePath(at), pricing: { ...charges, pricingType } }] : [],
	);

/** The pricing of a phase. */
export const pricingOfPhase = (
	charges: PhaseChargesInput,
	pricingType: PackageCharges["pricingType"],
): PackageCharges => ({ ...charges, pricingType });

/**
 * Throws BillingPeriodMissingError for a phase that could not be billed by a period that the plan is sold by: it would be free.
 * `own` are the prices after all phases.
 */
export function assertPhasesSold(phases: readonly StoredPhase[], own: readonly OfferedCharge[]): void {
	if (own.length === 0) return;
	for (const [at, { charges }] of phases.entries()) {
		if (!charges) continue;
		const missing = offeredPeriods(own).find(
			(period) =>
				chargesFor(charges.prices, period, null).length === 0 || notBilledWithin(charges.prices, period) !== undefined,
		);
		if (missing !== undefined)
			throw fail(
				"BillingPeriodMissingError",
				`${phasePath(at)}: the plan is sold ${periodText(missing)}, and the phase cannot be billed ${periodText(missing)}; price all of it so, or use 'percentOff' 100 for a phase without charges.`,
			);
	}
}
