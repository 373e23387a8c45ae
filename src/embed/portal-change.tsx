import { useState } from "preact/hooks";
import type { OwnSubscription, PortalApi, PortalChange, PortalOptions } from "./api.portal";
import { isPer, keyOf, type OfPeriod, periodsOf, periodText, requested } from "./billing-period";
import { Dialog, Sums } from "./forms";
import { Problem, useAction, useLoaded, useWords } from "./parts";

interface ChangeProps {
	readonly subscription: OwnSubscription;
	readonly api: PortalApi;
	readonly close: () => void;
	readonly changed: (message: string) => void;
}

export function ChangeDialog(props: ChangeProps) {
	const { say } = useWords();
	const { subscription, api, close } = props;
	const { value, error, again } = useLoaded(() => api.options(subscription.id), [subscription.id]);
	return (
		<Dialog title={say("changeTitle", { plan: subscription.plan.displayName })} close={close}>
			{error !== undefined && <Problem error={error} retry={again} />}
			{!value && error === undefined && <p role="status">{say("loading")}</p>}
			{value && <Change {...props} options={value} />}
		</Dialog>
	);
}

function Change({ subscription, api, changed, options }: ChangeProps & { readonly options: PortalOptions }) {
	const words = useWords();
	const { say, money, date } = words;
	const { allowed } = subscription;
	const { billingPeriod } = subscription;
	const subscribed = billingPeriod && { ...subscription, billingPeriod };
	const [planId, setPlan] = useState(subscription.plan.id);
	const [wanted, setPeriod] = useState<OfPeriod>(subscribed ?? { billingPeriod: "MONTHLY" });
	const [quantities, setQuantities] = useState<Record<string, number>>(() =>
		Object.fromEntries(subscription.quantities.map(({ featureId, quantity }) => [featureId, quantity])),
	);
	const [addons, setAddons] = useState<Record<string, number>>(() =>
		Object.fromEntries(subscription.addons.map(({ id, quantity }) => [id, quantity])),
	);
	const plan = options.plans.find(({ id }) => id === planId);
	const periods = periodsOf(plan?.prices ?? []);
	const period = periods.find((one) => isPer(one, wanted)) ?? periods[0];
	const units =
		plan?.prices.filter(
			(price) => price.billingModel === "PER_UNIT" && period && isPer(price, period) && price.featureId,
		) ?? [];
	const offered = options.addons.filter(({ id }) => plan?.addonIds == null || plan.addonIds.includes(id));
	// The list of addons replaces the whole list, so addons that are no longer for sale are sent along.
	const kept = subscription.addons.filter(({ id }) => options.addons.every((one) => one.id !== id));
	const change: PortalChange = {
		planId,
		...(period && requested(period)),
		...(units.length > 0 && {
			quantities: units.map(({ featureId, minUnits }) => ({
				featureId: featureId ?? "",
				quantity: quantities[featureId ?? ""] ?? minUnits ?? 1,
			})),
		}),
		...(allowed.changeAddons && {
			addons: [...kept, ...offered].flatMap(({ id }) => (addons[id] ? [{ id, quantity: addons[id] }] : [])),
		}),
	};
	const asked = JSON.stringify(change);
	const isSame =
		planId === subscription.plan.id &&
		(!period || !subscribed || isPer(period, subscribed)) &&
		units.every(
			({ featureId }) =>
				change.quantities?.find((one) => one.featureId === featureId)?.quantity ===
				subscription.quantities.find((one) => one.featureId === featureId)?.quantity,
		) &&
		JSON.stringify(change.addons ?? []) ===
			JSON.stringify(subscription.addons.map(({ id, quantity }) => ({ id, quantity })));
	const preview = useLoaded(async () => {
		// Waits until the customer has finished typing.
		await new Promise((resolve) => setTimeout(resolve, 350));
		return isSame ? undefined : { of: asked, ...(await api.preview(subscription.id, change)) };
	}, [asked]);
	const { isBusy, error, run } = useAction();
	const shown = preview.value?.of === asked ? preview.value : undefined;
	const currency = plan?.prices.find((price) => price.currency)?.currency ?? subscription.price?.currency ?? "usd";
	const priceOf = (one: PortalOptions["plans"][number]) => {
		const flat = one.prices.find(
			(price) =>
				price.billingModel === "FLAT_FEE" &&
				(isPer(price, wanted) || !one.prices.some((other) => isPer(other, wanted))),
		);
		return flat?.amount != null
			? `${money(flat.amount, flat.currency ?? currency)} ${periodText(words, flat)}`
			: one.pricingType === "FREE"
				? say("free")
				: "";
	};
	const confirm = (event: Event) => {
		event.preventDefault();
		if (shown)
			void run(async () => {
				await api.change(subscription.id, { ...change, offer: shown.offer });
				changed(say("changed"));
			});
	};
	return (
		<form class="stack" onSubmit={confirm}>
			{allowed.changePlan && options.plans.length > 0 && (
				<fieldset>
					<legend>{say("plan")}</legend>
					{options.plans.map((one) => (
						<label class="option" key={one.id}>
							<input
								type="radio"
								name="plan"
								value={one.id}
								checked={one.id === planId}
								onChange={() => setPlan(one.id)}
							/>
							<span class="name">
								{one.displayName}
								{one.id === subscription.plan.id && <span class="quiet"> ({say("current")})</span>}
							</span>
							<span class="quiet">{priceOf(one)}</span>
						</label>
					))}
				</fieldset>
			)}
			{allowed.changePlan && periods.length > 1 && (
				<fieldset class="periods" aria-label={say("period")}>
					{periods.map((one) => (
						<button type="button" key={keyOf(one)} aria-pressed={one === period} onClick={() => setPeriod(one)}>
							{periodText(words, one, false)}
						</button>
					))}
				</fieldset>
			)}
			{(allowed.changeQuantities || planId !== subscription.plan.id) &&
				units.map(({ featureId, featureName, minUnits, maxUnits }) => (
					<label key={featureId}>
						{featureName}
						<input
							type="number"
							name={featureId ?? ""}
							required
							min={minUnits ?? 0}
							{...(maxUnits !== null && { max: maxUnits })}
							step={1}
							value={quantities[featureId ?? ""] ?? minUnits ?? 1}
							onInput={({ currentTarget }) =>
								currentTarget.value !== "" &&
								setQuantities({ ...quantities, [featureId ?? ""]: currentTarget.valueAsNumber })
							}
						/>
					</label>
				))}
			{offered.length > 0 && (
				<fieldset>
					<legend>{say("addons")}</legend>
					{offered.map((one) => (
						<label class="option" key={one.id}>
							<span class="name">
								{one.displayName} <span class="quiet">{priceOf(one)}</span>
							</span>
							<span />
							<input
								type="number"
								aria-label={`${say("quantity")}: ${one.displayName}`}
								min={0}
								max={one.maxQuantity ?? 999}
								value={addons[one.id] ?? 0}
								onInput={({ currentTarget }) => setAddons({ ...addons, [one.id]: currentTarget.valueAsNumber || 0 })}
							/>
						</label>
					))}
				</fieldset>
			)}
			<div class="stack" aria-live="polite">
				{preview.error !== undefined && <Problem error={preview.error} />}
				{shown && (
					<>
						{shown.hasScheduledUpdates && <p class="note">{say("startsOn", { date: date(shown.takesEffectAt) })}</p>}
						<Sums invoice={shown.immediateInvoice} title={say("today")} currency={currency} />
						{shown.recurringInvoice && (
							<Sums
								invoice={shown.recurringInvoice}
								title={`${say("later")}, ${periodText(words, period ?? wanted)}`}
								currency={currency}
							/>
						)}
					</>
				)}
			</div>
			{error !== undefined && <Problem error={error} />}
			<button type="submit" class="main" disabled={isBusy || !shown}>
				{say("confirmChange")}
			</button>
		</form>
	);
}
