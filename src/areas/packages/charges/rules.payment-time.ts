import { fail } from "../../../kernel/errors";
import { modelPath } from "../rules.field-paths";
import type { PackageCharges, PricingModel } from "./schema";

type Timed = Pick<PricingModel, "billingModel" | "billingCadence" | "paymentTime">;

const fees: ReadonlySet<PricingModel["billingModel"]> = new Set(["FLAT_FEE", "PER_UNIT"]);

/** Whether the end of each period charges a fee or units. Usage always is in arrears. */
export const isFeeInArrears = ({ billingModel, paymentTime }: Timed): boolean =>
	paymentTime === "IN_ARREARS" && fees.has(billingModel);

/** Throws UnsupportedParameter for a payment time that a charge cannot have. */
export function assertPaymentTimes({ pricingType, pricingModels = [] }: PackageCharges): void {
	pricingModels.forEach((model, at) => {
		const why = model.paymentTime && misfitOf(model, pricingType);
		if (why) throw fail("UnsupportedParameter", `${modelPath("pricingModels", at)}.paymentTime: ${why}`);
	});
}

function misfitOf(model: PricingModel, pricingType: PackageCharges["pricingType"]): string | undefined {
	const { billingModel, billingCadence, paymentTime } = model;
	if (pricingType === "CUSTOM") return "a contract bills a CUSTOM package and has its own billing cycle; leave it out.";
	const isDefault = paymentTime === (billingModel === "USAGE_BASED" ? "IN_ARREARS" : "IN_ADVANCE");
	if (isDefault) return undefined;
	if (!fees.has(billingModel)) return `${billingModel} cannot be ${paymentTime}; leave it out.`;
	if (billingCadence === "ONE_OFF") return "a ONE_OFF charge is charged once, at its start; leave it out.";
	if (model.topUpCustomCurrencyId !== undefined) return "credits are paid before they are granted; leave it out.";
	if (model.refundsUnusedTime === false)
		return "a charge in arrears has no unused time to refund; leave 'refundsUnusedTime' out.";
	return undefined;
}
