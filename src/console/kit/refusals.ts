import { ApiError } from "../api";

/**
 * The API's refusal at the field that it names: "/rows/0/price: …", "charges.pricingModels[0].pricePeriods[1]: …", or, by the
 * rules of rows, "Row 1: 'to' must be …".
 */
export function refused(error: unknown): Record<string, string> {
	if (!(error instanceof ApiError)) return {};
	const [, path, said] = /^\/([\w/-]+):? (.+)$/s.exec(error.message) ?? [];
	if (path && said) return { [path.replaceAll("/", ".")]: said };
	const [, place, why] = /^(charges(?:\.\w+|\[\d+\])+): (.+)$/s.exec(error.message) ?? [];
	if (place && why) return { [place.replace(/\[(\d+)\]/g, ".$1")]: why };
	const [, row, rest, field] = /^Row (\d+): (.*?'(\w+)'.*)$/s.exec(error.message) ?? [];
	return row && rest ? { [`rows.${row}.${field}`]: rest } : {};
}
