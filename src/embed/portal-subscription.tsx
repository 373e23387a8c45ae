import { useState } from "preact/hooks";
import type { OwnSubscription, PortalApi } from "./api.portal";
import { periodText } from "./billing-period";
import { Dialog } from "./forms";
import { Problem, useAction, useWords } from "./parts";
import { ChangeDialog } from "./portal-change";

interface SubscriptionProps {
	readonly subscription: OwnSubscription;
	readonly api: PortalApi;
	readonly changed: (message: string) => void;
}

export function Subscription({ subscription, api, changed }: SubscriptionProps) {
	const words = useWords();
	const { say, date, money, number } = words;
	const [open, setOpen] = useState<"change" | "cancel">();
	const { isBusy, error, run } = useAction();
	const {
		plan,
		price,
		allowed,
		status,
		cancellationDate,
		trialEndDate,
		currentBillingPeriodEnd,
		billingPeriod,
		changes,
	} = subscription;
	const mayChange = !api.onlyShows && (allowed.changePlan || allowed.changeQuantities || allowed.changeAddons);
	const mayCancel = !api.onlyShows && allowed.cancel;
	const isEnding = cancellationDate !== null;
	const close = () => setOpen(undefined);
	return (
		<article class="card" part="subscription">
			<div class="row">
				<h3 class="name">
					{plan.displayName}
					{subscription.resourceId && <span class="quiet"> · {subscription.resourceId}</span>}
				</h3>
				<span class="tag">{say(status as "ACTIVE")}</span>
			</div>
			{price && (
				<p>
					<span class="price">{money(price.total, price.currency)}</span>{" "}
					<span class="quiet">{billingPeriod && periodText(words, { ...subscription, billingPeriod })}</span>
				</p>
			)}
			<ul class="quiet">
				{subscription.quantities.map(({ featureId, featureName, quantity }) => (
					<li key={featureId}>
						{number(quantity)} × {featureName}
					</li>
				))}
				{subscription.addons.map(({ id, displayName, quantity }) => (
					<li key={id}>
						{quantity > 1 ? `${number(quantity)} × ` : ""}
						{displayName}
					</li>
				))}
				{subscription.phase && (
					<li>
						{say(subscription.phase.percentOff === undefined ? "ownPhaseUntil" : "phaseUntil", {
							name: subscription.phase.displayName,
							percent: number(subscription.phase.percentOff ?? 0),
							date: date(subscription.phase.endDate),
						})}
					</li>
				)}
				{subscription.term && !isEnding && (
					<li>
						{subscription.term.noticeDate === null
							? say("termUntil", { date: date(subscription.term.endDate) })
							: say("termRenews", {
									date: date(subscription.term.endDate),
									notice: date(subscription.term.noticeDate),
								})}
					</li>
				)}
				{subscription.commitments?.map(({ scope, currency, amount, counted, missing, endDate }) => (
					<li key={scope}>
						{say(missing > 0 ? "commits" : "commitmentMet", {
							amount: money(amount, currency),
							counted: money(counted, currency),
							missing: money(missing, currency),
							date: date(endDate),
						})}
					</li>
				))}
				{subscription.bounds?.map(({ featureName, currency, minimumAmount, maximumAmount }) => (
					<li key={featureName}>
						{featureName}:{" "}
						{[
							minimumAmount === null ? "" : say("atLeast", { amount: money(minimumAmount, currency) }),
							maximumAmount === null ? "" : say("atMost", { amount: money(maximumAmount, currency) }),
						]
							.filter(Boolean)
							.join(", ")}
					</li>
				))}
				{isEnding ? (
					<li>{say("ends", { date: date(cancellationDate) })}</li>
				) : trialEndDate && status === "IN_TRIAL" ? (
					<li>{say("trialUntil", { date: date(trialEndDate) })}</li>
				) : (
					currentBillingPeriodEnd && <li>{say("renews", { date: date(currentBillingPeriodEnd) })}</li>
				)}
				{changes.map(({ at, planName }) => (
					<li key={at}>
						{planName ? say("changesOn", { plan: planName, date: date(at) }) : say("changesAt", { date: date(at) })}
					</li>
				))}
			</ul>
			<div class="row start">
				{mayChange && (
					<button
						type="button"
						class="main"
						aria-label={say("changeTitle", { plan: plan.displayName })}
						onClick={() => setOpen("change")}
					>
						{say("change")}
					</button>
				)}
				{mayCancel && !isEnding && (
					<button type="button" onClick={() => setOpen("cancel")}>
						{say("cancel")}
					</button>
				)}
				{mayCancel && isEnding && (
					<button
						type="button"
						disabled={isBusy}
						onClick={() =>
							run(async () => {
								await api.keep(subscription.id);
								changed(say("kept"));
							})
						}
					>
						{say("keep")}
					</button>
				)}
			</div>
			{error !== undefined && <Problem error={error} />}
			{open === "change" && (
				<ChangeDialog
					{...{ subscription, api, close }}
					changed={(message) => {
						close();
						changed(message);
					}}
				/>
			)}
			{open === "cancel" && (
				<CancelDialog
					{...{ subscription, api, close }}
					changed={(message) => {
						close();
						changed(message);
					}}
				/>
			)}
		</article>
	);
}

interface DialogProps extends SubscriptionProps {
	readonly close: () => void;
}

function CancelDialog({ subscription, api, close, changed }: DialogProps) {
	const { say, date } = useWords();
	const { isBusy, error, run } = useAction();
	const { cancelsAt, currentBillingPeriodEnd, plan, term } = subscription;
	const isLater = cancelsAt === "END_OF_BILLING_PERIOD" && currentBillingPeriodEnd !== null;
	return (
		<Dialog title={say("cancelTitle", { plan: plan.displayName })} close={close}>
			<p>
				{term
					? say("cancelTerm", { date: date(term.cancellationEnd) })
					: isLater
						? say("cancelEnd", { date: date(currentBillingPeriodEnd) })
						: say("cancelNow")}
			</p>
			{term?.owedUntil && <p>{say("cancelOwes", { date: date(term.owedUntil) })}</p>}
			{error !== undefined && <Problem error={error} />}
			<div class="row start">
				<button
					type="button"
					class="bad"
					disabled={isBusy}
					onClick={() =>
						run(async () => {
							await api.cancel(subscription.id);
							changed(say("cancelled"));
						})
					}
				>
					{say("cancelConfirm")}
				</button>
				<button type="button" onClick={close}>
					{say("keep")}
				</button>
			</div>
		</Dialog>
	);
}
