import { fail } from "../../kernel/errors";

// How a refusal names the row of a price list that is at fault.

export const refuse = (where: string, why: string) => fail("BadUserInput", `${where}: ${why}`);

/** `charges.pricingModels[1].pricePeriods[0]`: names the row at fault. */
export const modelPath = (list: "pricingModels" | "overagePricingModels", at: number): string =>
	`charges.${list}[${at}]`;
export const periodPath = (model: string, at: number): string => `${model}.pricePeriods[${at}]`;
