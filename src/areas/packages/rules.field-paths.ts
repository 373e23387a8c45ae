import { fail } from "../../kernel/errors";

// Builds the paths by which error messages name a row of a price list.

export const refuse = (where: string, why: string) => fail("BadUserInput", `${where}: ${why}`);

/** Returns a path such as `charges.pricingModels[1].pricePeriods[0]`. */
export const modelPath = (list: "pricingModels" | "overagePricingModels", at: number): string =>
	`charges.${list}[${at}]`;
export const minimumPath = (at: number): string => `charges.minimumSpend[${at}]`;
export const periodPath = (model: string, at: number): string => `${model}.pricePeriods[${at}]`;
