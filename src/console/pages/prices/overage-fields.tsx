import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { namedOptions, optionsOf } from "../../kit/values";
import { t as packages } from "../../messages/packages";
import { t } from "../../messages/prices/prices";
import { resetPeriods } from "../packages/grant-fields";
import { useFeatures } from "../packages/kinds";
import { Amount, Choose, Priced } from "./controls";
import { limitOf, type OpenOverage } from "./overage";

interface OverageFieldsProps {
	/** The name in the form, for the errors of the API. */
	readonly name: string;
	readonly overage: OpenOverage;
	readonly entitlements: readonly PackageEntitlement[];
	readonly currency: string;
	/** Undefined removes it. */
	readonly onChange: (overage: OpenOverage | undefined) => void;
}

/** The limit of a feature, and the price of each unit or block beyond it. */
export function OverageFields({ name, overage, entitlements, currency, onChange }: OverageFieldsProps) {
	const { features } = useFeatures();
	const { featureId, limit, resetPeriod, amount, blockSize } = overage;
	const change = (next: Partial<OpenOverage>) => onChange({ ...overage, ...next });
	const metered = features.filter(
		({ id, featureType, meterType, featureStatus }) =>
			id === featureId || (featureType === "NUMBER" && meterType !== "None" && featureStatus !== "SUSPENDED"),
	);
	const resets = metered.some(({ id, meterType }) => id === featureId && meterType === "INCREMENTAL");
	// The API changes a reset period but does not remove it.
	const isResetSet = featureId !== undefined && limitOf(entitlements, featureId).resetPeriod !== undefined;
	return (
		<Priced legend={t.beyondLimit} name={name} remove={() => onChange(undefined)}>
			<div className="columns">
				<Choose
					label={t.feature}
					value={featureId ?? ""}
					isRequired
					options={[{ value: "", label: t.choose }, ...namedOptions(metered)]}
					onChange={(id) => change({ featureId: id || undefined, ...noLimit, ...limitOf(entitlements, id) })}
				/>
				<Amount label={packages.limit} value={limit} isRequired onChange={(next) => change({ limit: next })} />
				{resets && (
					<Choose
						label={packages.resets}
						value={resetPeriod ?? ""}
						options={[
							...(isResetSet ? [] : [{ value: "", label: packages.neverResets }]),
							...optionsOf(packages, resetPeriods),
						]}
						onChange={(value) => change({ resetPeriod: resetPeriods.find((one) => one === value) })}
					/>
				)}
			</div>
			<div className="columns">
				<Amount
					label={blockSize ? t.eachBlock : t.eachBeyond}
					unit={currency.toUpperCase()}
					value={amount}
					isRequired
					onChange={(next) => change({ amount: next })}
				/>
				<Amount label={t.blockSize} value={blockSize} onChange={(next) => change({ blockSize: next })} />
			</div>
		</Priced>
	);
}

const noLimit = { limit: undefined, resetPeriod: undefined };
