import { useState } from "preact/hooks";
import type { OwnSubscription, PortalInvoice, PortalOverview } from "./api";
import { type Caller, type PortalApi, portalApi, Refusal } from "./api";
import { addressIn, type Details, DetailsFields, Dialog, detailsOf, isAtField, taxIdIn } from "./forms";
import { wordsIn } from "./messages";
import { Problem, Reading, useAction, useLoaded, useWords } from "./parts";
import { ChangeDialog } from "./portal-change";

/** A customer's own page: as a page of ours, and as a widget in another's. */
export function Portal({ caller, language }: { readonly caller: Caller; readonly language: string | null }) {
	const [api] = useState(() => portalApi(caller));
	const [told, setTold] = useState("");
	const { value, error, again } = useLoaded(api.overview, [api]);
	const words = wordsIn(language, value?.language);
	const changed = (message: string) => {
		setTold(message);
		again();
	};
	return (
		<Reading.Provider value={words}>
			<div class="stack" lang={words.language} part="portal">
				<p role="status" class={told ? "note" : undefined}>
					{told}
				</p>
				{error instanceof Refusal && error.status === 401 ? (
					<Ended />
				) : error !== undefined ? (
					<Problem error={error} retry={again} />
				) : null}
				{!value && error === undefined && <p role="status">{words.say("loading")}</p>}
				{value && <Overview overview={value} api={api} changed={changed} />}
			</div>
		</Reading.Provider>
	);
}

export function Ended() {
	const { say } = useWords();
	return (
		<div class="card" role="alert">
			<h2>{say("ended")}</h2>
			<p>{say("endedText")}</p>
		</div>
	);
}

interface SectionProps {
	readonly overview: PortalOverview;
	readonly api: PortalApi;
	readonly changed: (message: string) => void;
}

function Overview(props: SectionProps) {
	const { say } = useWords();
	const { subscriptions, usage } = props.overview;
	return (
		<div class="two">
			<div class="stack">
				<section class="stack" aria-labelledby="subscriptions">
					<h2 id="subscriptions">{say("subscriptions")}</h2>
					{subscriptions.length === 0 && <p class="card quiet">{say("none")}</p>}
					{subscriptions.map((one) => (
						<Subscription key={one.id} subscription={one} {...props} />
					))}
				</section>
				<Invoices api={props.api} />
			</div>
			<div class="stack">
				{usage.length > 0 && <Usage usage={usage} />}
				<Billing {...props} />
			</div>
		</div>
	);
}

function Subscription({ subscription, api, changed }: SectionProps & { readonly subscription: OwnSubscription }) {
	const { say, date, money, number } = useWords();
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
	const mayChange = allowed.changePlan || allowed.changeQuantities || allowed.changeAddons;
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
					<span class="quiet">{billingPeriod && say(billingPeriod === "MONTHLY" ? "perMonth" : "perYear")}</span>
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
				{allowed.cancel && !isEnding && (
					<button type="button" onClick={() => setOpen("cancel")}>
						{say("cancel")}
					</button>
				)}
				{allowed.cancel && isEnding && (
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

interface DialogProps {
	readonly subscription: OwnSubscription;
	readonly api: PortalApi;
	readonly close: () => void;
	readonly changed: (message: string) => void;
}

function CancelDialog({ subscription, api, close, changed }: DialogProps) {
	const { say, date } = useWords();
	const { isBusy, error, run } = useAction();
	const { cancelsAt, currentBillingPeriodEnd, plan } = subscription;
	const isLater = cancelsAt === "END_OF_BILLING_PERIOD" && currentBillingPeriodEnd !== null;
	return (
		<Dialog title={say("cancelTitle", { plan: plan.displayName })} close={close}>
			<p>{isLater ? say("cancelEnd", { date: date(currentBillingPeriodEnd) }) : say("cancelNow")}</p>
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

function Usage({ usage }: { readonly usage: PortalOverview["usage"] }) {
	const { say, number, date } = useWords();
	return (
		<section class="card" aria-labelledby="usage" part="usage">
			<h2 id="usage">{say("usage")}</h2>
			<ul class="stack">
				{usage.map(({ name, resourceId, used, limit, isUnlimited, units, resetsAt }, at) => {
					const counted = used !== null && (limit !== null || isUnlimited);
					return (
						<li key={at}>
							<div class="row">
								<span class="name">
									{name}
									{resourceId && <span class="quiet"> · {resourceId}</span>}
								</span>
								<span class="quiet">
									{!counted
										? limit !== null
											? number(limit)
											: say("included")
										: isUnlimited || limit === null
											? `${say("used", { used: number(used) })}, ${say("unlimited")}`
											: `${say("of", { used: number(used), limit: number(limit) })}${units ? ` ${units}` : ""}`}
								</span>
							</div>
							{counted && limit !== null && !isUnlimited && (
								<meter min={0} max={Math.max(limit, used, 1)} value={used} high={limit * 0.9} aria-label={name} />
							)}
							{counted && resetsAt && <p class="quiet">{say("resets", { date: date(resetsAt) })}</p>}
						</li>
					);
				})}
			</ul>
		</section>
	);
}

function Invoices({ api }: { readonly api: PortalApi }) {
	const { say, date, money } = useWords();
	const [more, setMore] = useState<{ rows: PortalInvoice[]; next: string | null }>();
	const { value, error } = useLoaded(() => api.invoices(null), [api]);
	const { isBusy, error: failed, run } = useAction();
	if (error !== undefined) return <Problem error={error} />;
	const rows = [...(value?.data ?? []), ...(more?.rows ?? [])];
	const next = more ? more.next : value?.pagination.next;
	const save = (number: string) =>
		run(async () => {
			const address = URL.createObjectURL(await api.pdf(number));
			const link = document.createElement("a");
			link.href = address;
			link.download = `${number}.pdf`;
			link.click();
			setTimeout(() => URL.revokeObjectURL(address), 60_000);
		});
	return (
		<section class="card" aria-labelledby="invoices" part="invoices">
			<h2 id="invoices">{say("invoices")}</h2>
			{value && rows.length === 0 && <p class="quiet">{say("noInvoices")}</p>}
			{rows.length > 0 && (
				<table>
					<thead>
						<tr>
							<th scope="col">{say("number")}</th>
							<th scope="col" class="wide">
								{say("date")}
							</th>
							<th scope="col" class="wide">
								{say("status")}
							</th>
							<th scope="col" class="end">
								{say("amount")}
							</th>
						</tr>
					</thead>
					<tbody>
						{rows.map(({ id, number, issueDate, state, total, currency }) => (
							<tr key={id}>
								<td>
									<button
										type="button"
										aria-label={say("download", { number })}
										disabled={isBusy}
										onClick={() => save(number)}
									>
										{number}
									</button>
								</td>
								<td class="wide">{date(issueDate)}</td>
								<td class="wide">{say(state as "OPEN")}</td>
								<td class="end">{money(total, currency)}</td>
							</tr>
						))}
					</tbody>
				</table>
			)}
			{failed !== undefined && <Problem error={failed} />}
			{next && (
				<button
					type="button"
					disabled={isBusy}
					onClick={() =>
						run(async () => {
							const page = await api.invoices(next);
							setMore({ rows: [...(more?.rows ?? []), ...page.data], next: page.pagination.next });
						})
					}
				>
					{say("more")}
				</button>
			)}
		</section>
	);
}

function Billing({ overview: { billing }, api, changed }: SectionProps) {
	const { say } = useWords();
	const [details, setDetails] = useState<Details>();
	const { isBusy, error, run } = useAction();
	const { address, taxIds } = billing;
	const save = (event: Event) => {
		event.preventDefault();
		if (!details) return;
		const taxId = taxIdIn(details);
		void run(async () => {
			await api.updateBilling({
				name: details.name || null,
				email: details.email || null,
				address: addressIn(details) ?? null,
				taxIds: taxId ? [taxId, ...taxIds.slice(1)] : taxIds.slice(1),
			});
			setDetails(undefined);
			changed(say("saved"));
		});
	};
	return (
		<section class="card" aria-labelledby="billing" part="billing">
			<div class="row">
				<h2 id="billing">{say("billing")}</h2>
				{!details && (
					<button type="button" onClick={() => setDetails(detailsOf(billing))}>
						{say("edit")}
					</button>
				)}
			</div>
			{details ? (
				<form class="stack" onSubmit={save} noValidate>
					<DetailsFields details={details} change={setDetails} error={error} />
					{error !== undefined && !isAtField(error) && <Problem error={error} />}
					<div class="row start">
						<button type="submit" class="main" disabled={isBusy}>
							{say("save")}
						</button>
						<button type="button" onClick={() => setDetails(undefined)}>
							{say("close")}
						</button>
					</div>
				</form>
			) : (
				<address class="name">
					{[
						billing.name,
						billing.email,
						address?.line1,
						address?.line2,
						[address?.postalCode, address?.city].filter(Boolean).join(" "),
						address?.state,
						address?.country,
						...taxIds.map(({ value }) => value),
					]
						.filter(Boolean)
						.map((line, at) => (
							<div key={at}>{line}</div>
						))}
				</address>
			)}
		</section>
	);
}
