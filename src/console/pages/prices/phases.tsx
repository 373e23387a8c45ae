import type { Phases } from "../../../areas/packages/charges/schema";
import { PartError } from "../../kit/forms/fields";
import { useForm } from "../../kit/forms/form-state";
import { optionsOf } from "../../kit/values";
import { t as texts } from "../../messages/prices/phases";
import { t } from "../../messages/prices/prices";
import { Amount, Choose } from "./controls";
import { type EditedPrice, editedPriceOf, modelOf, newPrice } from "./model";
import { PriceList } from "./price-list";

type Phase = Phases[number];

/** A phase as it is entered. The API refuses what is missing. */
type EnteredPhase = Pick<Phase, "id"> & {
	readonly displayName: string | undefined;
	readonly percentOff: number | undefined;
	readonly count: number | undefined;
	readonly unit: Phase["duration"]["unit"];
	/** Undefined: a percentage off the prices of the plan. */
	readonly prices: readonly EditedPrice[] | undefined;
	/** The other terms of its prices stay as they are. */
	readonly kept: Omit<NonNullable<Phase["charges"]>, "pricingModels">;
};

const units = ["DAY", "WEEK", "MONTH", "YEAR"] as const;

/** Returns the fields of the form for phases. */
export const enteredOfPhases = (phases: Phases = []): readonly EnteredPhase[] =>
	phases.map(({ id, displayName, duration: { unit, count }, percentOff, charges }) => {
		const { pricingModels = [], ...kept } = charges ?? {};
		return {
			id,
			displayName,
			unit,
			count,
			percentOff,
			prices: charges && pricingModels.map((model) => editedPriceOf(model)),
			kept,
		};
	});

/** Returns the body of the API; nothing without phases. */
export function phasesOf(entered: unknown, currency: string): { phases?: Phases } {
	const phases = (entered as readonly EnteredPhase[]).flatMap(({ id, displayName, count, unit, ...of }) =>
		count === undefined || (of.percentOff === undefined && !of.prices)
			? []
			: [{ id, ...(displayName && { displayName }), duration: { unit, count }, ...pricesOf(of, currency) }],
	);
	return phases.length > 0 ? { phases } : {};
}

const pricesOf = (
	{ percentOff, prices, kept }: Pick<EnteredPhase, "percentOff" | "prices" | "kept">,
	currency: string,
): Pick<Phase, "percentOff" | "charges"> =>
	prices
		? { charges: { ...kept, pricingModels: prices.map((price) => modelOf(price, currency)) } }
		: { percentOff: percentOff ?? 0 };

/** The next free id. Ids stay when names change, since migrations find phases by them. */
function newId(phases: readonly EnteredPhase[]): string {
	let at = phases.length + 1;
	while (phases.some(({ id }) => id === `phase-${at}`)) at += 1;
	return `phase-${at}`;
}

/** The phases before the prices of a plan apply, in their order. */
export function PhaseFields() {
	const { entered, set } = useForm();
	const phases = entered.phases as readonly EnteredPhase[];
	if (entered.pricingType !== "PAID") return null;
	const change = (at: number, next: Partial<EnteredPhase>) =>
		set(
			"phases",
			phases.map((phase, index) => (index === at ? { ...phase, ...next } : phase)),
		);
	return (
		<>
			<h3>{texts.phases}</h3>
			<p className="hint">{texts.phasesText}</p>
			{phases.map((phase, at) => (
				<div key={phase.id}>
					<div className="columns">
						<label className="labelled">
							<span>{texts.phaseName}</span>
							<input
								value={phase.displayName ?? ""}
								placeholder={phase.id}
								onChange={({ target }) => change(at, { displayName: target.value || undefined })}
							/>
						</label>
						<Amount
							label={texts.phaseLength}
							isRequired
							value={phase.count}
							onChange={(count) => change(at, { count })}
						/>
						<Choose
							label={t.periodUnit}
							value={phase.unit}
							options={optionsOf(texts, units)}
							onChange={(value) => change(at, { unit: units.find((unit) => unit === value) ?? "MONTH" })}
						/>
						<Choose
							label={texts.prices}
							value={phase.prices ? "ownPrices" : "lowerPrices"}
							options={optionsOf(texts, ["lowerPrices", "ownPrices"])}
							onChange={(value) => change(at, { prices: value === "ownPrices" ? [newPrice] : undefined })}
						/>
						{!phase.prices && (
							<Amount
								label={texts.percentOff}
								unit="%"
								isRequired
								value={phase.percentOff}
								onChange={(percentOff) => change(at, { percentOff })}
							/>
						)}
						<button
							type="button"
							className="bare small"
							aria-label={`${t.remove}: ${phase.displayName ?? phase.id}`}
							onClick={() =>
								set(
									"phases",
									phases.filter((_, index) => index !== at),
								)
							}
						>
							{t.remove}
						</button>
					</div>
					{phase.prices && (
						<PriceList
							name={`charges.phases.${at}.charges.pricingModels`}
							prices={phase.prices}
							onChange={(prices) => change(at, { prices })}
						/>
					)}
				</div>
			))}
			<PartError name="charges.phases" />
			<div>
				<button
					type="button"
					onClick={() =>
						set("phases", [
							...phases,
							{
								id: newId(phases),
								displayName: undefined,
								count: 1,
								unit: "MONTH",
								percentOff: 50,
								prices: undefined,
								kept: {},
							},
						])
					}
				>
					{texts.addPhase}
				</button>
			</div>
		</>
	);
}
