import { t } from "../../messages/prices/prices";
import { Amount, Choose } from "./controls";
import { commitmentWindows } from "./model";
import type { Commitment, OpenPrice } from "./open-price";

interface CommitmentFieldsProps {
	readonly commitment: Commitment | undefined;
	readonly currency: string;
	readonly onChange: (change: Pick<OpenPrice, "commitment">) => void;
}

const kinds = ["amount", "quantity"] as const;

/** The commitment of a price: an amount or units for each window, the factor above it, and the length of windows. */
export function CommitmentFields({ commitment, currency, onChange }: CommitmentFieldsProps) {
	const kind = kinds.find((one) => commitment?.[one] !== undefined);
	const change = (next: Partial<Commitment>) => onChange({ commitment: { ...commitment, ...next } });
	return (
		<>
			<Choose
				label={t.commitment}
				value={kind ?? ""}
				options={[
					{ value: "", label: t.noCommitment },
					{ value: "amount", label: t.committedAmount },
					{ value: "quantity", label: t.committedQuantity },
				]}
				onChange={(value) => {
					const { amount: _, quantity: __, ...others } = commitment ?? {};
					const chosen = kinds.find((one) => one === value);
					onChange({ commitment: chosen && { ...others, [chosen]: 0 } });
				}}
			/>
			{kind && commitment && (
				<>
					<Amount
						label={t.committed}
						{...(kind === "amount" && { unit: currency.toUpperCase() })}
						value={commitment[kind]}
						onChange={(value) => change({ [kind]: value ?? 0 })}
					/>
					<Amount
						label={t.overageFactor}
						value={commitment.overageFactor ?? 1}
						onChange={(overageFactor) => change({ overageFactor: overageFactor ?? 1 })}
					/>
					<Choose
						label={t.commitmentWindow}
						value={commitment.interval?.unit ?? ""}
						options={[
							{ value: "", label: t.wholePeriod },
							...commitmentWindows.map((unit) => ({ value: unit, label: t[unit] })),
						]}
						onChange={(value) => {
							const { interval: _, ...others } = commitment;
							const unit = commitmentWindows.find((one) => one === value);
							onChange({ commitment: unit ? { ...others, interval: { unit, count: 1 } } : others });
						}}
					/>
					<Choose
						label={t.below}
						value={commitment.isTrueUp === false ? "no" : ""}
						options={[
							{ value: "", label: t.trueUp },
							{ value: "no", label: t.noTrueUp },
						]}
						onChange={(value) => change({ isTrueUp: value !== "no" })}
					/>
				</>
			)}
		</>
	);
}
