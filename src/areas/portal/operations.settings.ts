import type { Work } from "../../kernel/work";
import { getProduct } from "../products/operations";
import { portalPermissions, settingsDefault } from "./rules";
import type { PortalSettings, PortalSettingsUpdate } from "./schema";
import { saveSettings, selectSettings } from "./store";

/** Returns the settings of products by their row ids. */
export function settingsOf(work: Work, productIds: readonly string[]): (productId: string) => PortalSettings {
	const known = new Map(selectSettings(work, productIds).map((row) => [row.productId, row]));
	return (productId) => {
		const { changePlan, changeQuantities, changeAddons, cancel } = known.get(productId) ?? settingsDefault;
		return { changePlan, changeQuantities, changeAddons, cancel };
	};
}

/** Throws ProductNotFoundError if the product does not exist. */
export function readSettings(work: Work, productRef: string): PortalSettings {
	const { id } = getProduct(work, productRef);
	return settingsOf(work, [id])(id);
}

/** Changes the sent settings; omitted ones stay unchanged. Throws ProductNotFoundError if the product does not exist. */
export function updateSettings(work: Work, productRef: string, changes: PortalSettingsUpdate): PortalSettings {
	const { id } = getProduct(work, productRef);
	const settings = { ...settingsOf(work, [id])(id), ...changes };
	saveSettings(work, { productId: id, ...settings });
	return settings;
}

/** Replaces all settings; omitted ones get the defaults of a new product. Throws ProductNotFoundError if the product does not exist. */
export function replaceSettings(work: Work, productRef: string, stated: PortalSettingsUpdate): void {
	const wanted = { ...settingsDefault, ...stated };
	const current = readSettings(work, productRef);
	if (portalPermissions.some((name) => wanted[name] !== current[name])) updateSettings(work, productRef, wanted);
}
