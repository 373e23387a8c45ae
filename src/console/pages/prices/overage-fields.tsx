import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { t as packages } from "../../messages/packages";
import { t } from "../../messages/prices";
import { resetPeriods } from "../packages/grant-fields";
import { useFeatures } from "../packages/names";
import { Amount, Choose, Priced } from "./controls";
import { limitOf, type OpenOverage } from "./overage";

interface OverageFieldsProps {
	/** Of the form, for what the API says against it. */
	readonly name: string;
	readonly overage: OpenOverage;
	readonly entitlements: readonly PackageEntitlement[];
	readonly currency: string;
	/** Undefined leaves it out. */
	readonly onChange: (overage: OpenOverage | undefined) => void;
}

/** Beyond which limit of what, and how much each unit or block then is. */
export function OverageFields({ name, overage, entitlements, currency, onChange }: OverageFieldsProps) {
	const { features } = useFeatures();
	const { featureId, limit, resetPeriod, amount, blockSize } = overage;
	const change = (next: Partial<OpenOverage>) => onChange({ ...overage, ...next });
	const metered = features.filter(
		({ id, featureType, meterType, featureStatus }) =>
			id === featureId || (featureType === "NUMBER" && meterType !== "None" && featureStatus !== "SUSPENDED"),
	);
	const resets = metered.some(({ id, meterType }) => id === featureId && meterType === "INCREMENTAL");
	// One that is set can become another, and none no more.
	const isResetSet = featureId !== undefined && limitOf(entitlements, featureId).resetPeriod !== undefined;
	return (
		<Priced legend={t.beyondLimit} name={name} remove={() => onChange(undefined)}>
			<div className="columns">
				<Choose
					label={t.feature}
					value={featureId ?? ""}
					isRequired
					options={[
						{ value: "", label: t.choose },
						...metered.map(({ id, displayName }) => ({ value: id, label: displayName })),
					]}
					onChange={(id) => change({ featureId: id || undefined, ...noLimit, ...limitOf(entitlements, id) })}
				/>
				<Amount label={packages.limit} value={limit} isRequired onChange={(next) => change({ limit: next })} />
				{resets && (
					<Choose
						label={packages.resets}
						value={resetPeriod ?? ""}
						options={[
							...(isResetSet ? [] : [{ value: "", label: packages.neverResets }]),
							...resetPeriods.map((value) => ({ value, label: packages[value] })),
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
