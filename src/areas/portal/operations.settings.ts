import type { Work } from "../../kernel/work";
import { getProduct } from "../products/operations";
import type { PortalSettings, PortalSettingsUpdate } from "./schema";
import { saveSettings, selectSettings } from "./store";

/** Our choice: customers may do what nobody has forbidden. */
const settingsDefault: PortalSettings = { changePlan: true, changeQuantities: true, changeAddons: true, cancel: true };

/** Of products by their row ids. */
export function settingsOf(work: Work, productIds: readonly string[]): (productId: string) => PortalSettings {
	const known = new Map(selectSettings(work, productIds).map((row) => [row.productId, row]));
	return (productId) => {
		const { changePlan, changeQuantities, changeAddons, cancel } = known.get(productId) ?? settingsDefault;
		return { changePlan, changeQuantities, changeAddons, cancel };
	};
}

/** ProductNotFoundError. */
export function readSettings(work: Work, productRef: string): PortalSettings {
	const { id } = getProduct(work, productRef);
	return settingsOf(work, [id])(id);
}

/** What is left out stays. ProductNotFoundError. */
export function updateSettings(work: Work, productRef: string, changes: PortalSettingsUpdate): PortalSettings {
	const { id } = getProduct(work, productRef);
	const settings = { ...settingsOf(work, [id])(id), ...changes };
	saveSettings(work, { productId: id, ...settings });
	return settings;
}
