import { ApiError } from "../../api";

/**
 * Finds the field that an error of the API names: "body/rows/0/price: …", "charges.pricingModels[0].pricePeriods[1]: …", "'endDate'
 * must be …", or, for rows, "Row 1: 'to' must be …".
 */
export function refused(error: unknown): Record<string, string> {
	if (!(error instanceof ApiError)) return {};
	const [, place, why] = /^(charges(?:\.\w+|\[\d+\])+): (.+)$/s.exec(error.message) ?? [];
	if (place && why) return { [place.replace(/\[(\d+)\]/g, ".$1")]: why };
	if (error.field) return { [error.field]: error.message };
	const [, path, said] = /^(?:body)?\/([\w/-]+):? (.+)$/s.exec(error.message) ?? [];
	if (path && said) return { [path.replaceAll("/", ".")]: said };
	const [, name] = /^'(\w+)' must /.exec(error.message) ?? [];
	if (name) return { [name]: error.message };
	const [, row, rest, field] = /^Row (\d+): (.*?'(\w+)'.*)$/s.exec(error.message) ?? [];
	return row && rest ? { [`rows.${row}.${field}`]: rest } : {};
}
