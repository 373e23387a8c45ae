import type { Feature, FeatureType, MeterType } from "../../../areas/features/schema";
import { t } from "../../messages/features";

export const featureTypes: readonly FeatureType[] = ["BOOLEAN", "NUMBER", "ENUM"];
export const meterTypes: readonly MeterType[] = ["None", "FLUCTUATING", "INCREMENTAL"];

export const optionsOf = <Value extends keyof typeof t>(values: readonly Value[]) =>
	values.map((value) => ({ value, label: t[value] }));

export const usageOf = ({ featureType, meterType }: Feature): string => (featureType === "NUMBER" ? t[meterType] : "–");

/** Each line: the value, then its name. */
export const valuesOf = (text: unknown) =>
	String(text ?? "")
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "")
		.map((line) => {
			const [value = "", ...name] = line.split(/\s+/);
			return { value, displayName: name.join(" ") || value };
		});
