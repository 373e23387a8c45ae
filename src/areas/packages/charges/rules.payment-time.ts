import { fail } from "../../../kernel/errors";
import type { EventInvoicing } from "../../pricing/models/price-terms";
import { modelPath } from "../rules.field-paths";
import { measuresLevel } from "./rules.usage-measure";
import type { PackageCharges, PricingModel } from "./schema";

type Timed = Pick<PricingModel, "billingModel" | "billingCadence" | "paymentTime">;

const fees: ReadonlySet<PricingModel["billingModel"]> = new Set(["FLAT_FEE", "PER_UNIT"]);

/** Whether the end of each period charges a fee or units. Usage is in arrears by default. */
export const isFeeInArrears = ({ billingModel, paymentTime }: Timed): boolean =>
	paymentTime === "IN_ARREARS" && fees.has(billingModel);

/** Returns when usage that each event charges is invoiced; undefined for other prices. */
export const eventInvoicingOf = ({
	paymentTime,
	eventInvoicing = "EACH_EVENT",
}: Pick<PricingModel, "paymentTime" | "eventInvoicing">): EventInvoicing | undefined =>
	paymentTime === "AT_EVENT" ? eventInvoicing : undefined;

/** Throws UnsupportedParameter for a payment time that a charge cannot have, and for the invoicing of events that it does not charge. */
export function assertPaymentTimes({ pricingType, pricingModels = [] }: PackageCharges): void {
	pricingModels.forEach((model, at) => {
		const where = modelPath("pricingModels", at);
		const why = model.paymentTime && misfitOf(model, pricingType);
		if (why) throw fail("UnsupportedParameter", `${where}.paymentTime: ${why}`);
		if (model.eventInvoicing !== undefined && model.paymentTime !== "AT_EVENT")
			throw fail(
				"UnsupportedParameter",
				`${where}.eventInvoicing: is for usage that each event charges; set 'paymentTime' AT_EVENT, or leave it out.`,
			);
	});
}

function misfitOf(model: PricingModel, pricingType: PackageCharges["pricingType"]): string | undefined {
	const { billingModel, billingCadence, paymentTime } = model;
	if (pricingType === "CUSTOM") return "a contract bills a CUSTOM package and has its own billing cycle; leave it out.";
	if (paymentTime === "AT_EVENT") return misfitOfEvents(model);
	const isDefault = paymentTime === (billingModel === "USAGE_BASED" ? "IN_ARREARS" : "IN_ADVANCE");
	if (isDefault) return undefined;
	if (!fees.has(billingModel)) return `${billingModel} cannot be ${paymentTime}; leave it out.`;
	if (billingCadence === "ONE_OFF") return "a ONE_OFF charge is charged once, at its start; leave it out.";
	if (model.topUpCustomCurrencyId !== undefined) return "credits are paid before they are granted; leave it out.";
	if (model.refundsUnusedTime === false)
		return "a charge in arrears has no unused time to refund; leave 'refundsUnusedTime' out.";
	return undefined;
}

/** Returns why each event cannot charge a price. */
function misfitOfEvents(model: PricingModel): string | undefined {
	const { billingModel, topUpCustomCurrencyId, tiersMode, usageMeasure, pricePeriods } = model;
	if (billingModel !== "USAGE_BASED") return `${billingModel} has no events; use AT_EVENT with USAGE_BASED.`;
	if (topUpCustomCurrencyId !== undefined) return "credits are paid before they are granted; leave it out.";
	if (tiersMode === "VOLUME")
		return "the volume tier of an event depends on later ones; use 'tiersMode' GRADUATED, or leave AT_EVENT out.";
	if (measuresLevel(model))
		return `'usageMeasure' ${usageMeasure} charges a level for its time, and no event; leave one of them out.`;
	if (model.chargesFlatPriceUnused)
		return "'chargesFlatPriceUnused' charges a period without events; leave one of them out.";
	if (model.groupBy?.length || pricePeriods.some(({ variants = [] }) => variants.length > 0))
		return "each event would charge a line of its variant or group; give each a feature with a filtered meter, or leave AT_EVENT out.";
	if (pricePeriods.some(({ commitment }) => commitment))
		return "a 'commitment' is settled at the end of its window; leave one of them out.";
	if (pricePeriods.some(({ minimumAmount = 0 }) => minimumAmount > 0))
		return "'minimumAmount' is settled at the end of the period; leave one of them out.";
	return undefined;
}
