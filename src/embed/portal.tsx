import { useState } from "preact/hooks";
import { type Caller, Refusal } from "./api";
import { budgetsApi } from "./api.budgets";
import type { PortalOverview } from "./api.portal";
import { type PortalApi, portalApi } from "./api.portal";
import { wordsIn } from "./messages";
import { Problem, Reading, useLoaded, useWords } from "./parts";
import { Billing } from "./portal-billing";
import { Budgets } from "./portal-budgets";
import { Invoices } from "./portal-invoices";
import type { OwnPayment } from "./portal-methods";
import { Payments } from "./portal-payments";
import { Subscription } from "./portal-subscription";

interface PortalProps {
	readonly caller: Caller;
	readonly language: string | null;
	/** The seller's page for changes, if the widget can only read. */
	readonly manageUrl?: string | null;
	/** The request for a higher budget that the link opens. */
	readonly requestId?: string | null;
	/** Shows only the budgets. */
	readonly showsBudgets?: boolean;
	/** Shows budgets without requests and changes. */
	readonly isReadOnly?: boolean;
}

/** The portal of a customer, as a page of Tollgate or as a widget in another page. Only a link can show budgets. */
export function Portal({ manageUrl = null, ...shown }: PortalProps) {
	const { caller, language } = shown;
	return caller.token ? (
		<LinkedPortal {...shown} />
	) : (
		<Account caller={caller} language={language} manageUrl={manageUrl} />
	);
}

/** Shows the customer, the budgets, or both, as the link says. */
function LinkedPortal({
	caller,
	language,
	requestId = null,
	showsBudgets = false,
	isReadOnly = false,
}: Omit<PortalProps, "manageUrl">) {
	const [part, setPart] = useState<"account" | "budgets">(requestId ? "budgets" : "account");
	const { value: link, error, again } = useLoaded(budgetsApi(caller).link, []);
	const words = wordsIn(language, link?.language);
	if (!link)
		return (
			<Reading.Provider value={words}>
				{error === undefined ? <p role="status">{words.say("loading")}</p> : <Failed error={error} again={again} />}
			</Reading.Provider>
		);
	const isChoice = link.budgets !== null && link.entity === null && !showsBudgets;
	const isBudgets = showsBudgets || link.entity !== null || (isChoice && part === "budgets");
	return (
		<Reading.Provider value={words}>
			<div class="stack" lang={words.language}>
				{isChoice && (
					<nav class="periods" aria-label={words.say("budgets")}>
						{(["account", "budgets"] as const).map((one) => (
							<button type="button" key={one} aria-pressed={one === part} onClick={() => setPart(one)}>
								{words.say(one)}
							</button>
						))}
					</nav>
				)}
				{isBudgets ? (
					<Budgets caller={caller} requestId={requestId} isReadOnly={isReadOnly} />
				) : (
					<Account caller={caller} language={language} manageUrl={null} />
				)}
			</div>
		</Reading.Provider>
	);
}

/** An error of the whole page. */
function Failed({ error, again }: { readonly error: unknown; readonly again: () => void }) {
	return error instanceof Refusal && error.status === 401 ? <Ended /> : <Problem error={error} retry={again} />;
}

/** Subscriptions, usage, invoices and billing details. */
function Account({ caller, language, manageUrl }: Required<Pick<PortalProps, "caller" | "language" | "manageUrl">>) {
	const [api] = useState(() => portalApi(caller));
	const [message, setMessage] = useState("");
	const { value, error, again } = useLoaded(api.overview, [api]);
	const words = wordsIn(language, value?.language);
	const changed = (message: string) => {
		setMessage(message);
		again();
	};
	return (
		<Reading.Provider value={words}>
			<div class="stack" lang={words.language} part="portal">
				<p role="status" class={message ? "note" : undefined}>
					{message}
				</p>
				{error !== undefined && <Failed error={error} again={again} />}
				{!value && error === undefined && <p role="status">{words.say("loading")}</p>}
				{value && <Overview overview={value} api={api} changed={changed} manageUrl={manageUrl} />}
			</div>
		</Reading.Provider>
	);
}

/** Other schemes could run scripts. */
const isWebAddress = (address: string): boolean =>
	/^https?:$/.test(URL.parse(address, document.baseURI)?.protocol ?? "");

export function Ended() {
	const { say } = useWords();
	return (
		<div class="card" role="alert">
			<h2>{say("ended")}</h2>
			<p>{say("endedText")}</p>
		</div>
	);
}

interface OverviewProps {
	readonly overview: PortalOverview;
	readonly api: PortalApi;
	readonly changed: (message: string) => void;
	readonly manageUrl: string | null;
}

function Overview({ overview: { subscriptions, usage, billing }, api, changed, manageUrl }: OverviewProps) {
	const { say } = useWords();
	const [payment, setPayment] = useState<OwnPayment>();
	// Loaded on demand: widgets that only show have no use for it.
	const { value: charging } = useLoaded(async () => (api.onlyShows ? null : await import("./portal-methods")), [api]);
	return (
		<div class="two">
			<div class="stack">
				<section class="stack" aria-labelledby="subscriptions">
					<div class="row">
						<h2 id="subscriptions">{say("subscriptions")}</h2>
						{api.onlyShows && manageUrl && isWebAddress(manageUrl) && (
							<a class="button" part="manage" href={manageUrl}>
								{say("manage")}
							</a>
						)}
					</div>
					{subscriptions.length === 0 && <p class="card quiet">{say("none")}</p>}
					{subscriptions.map((one) => (
						<Subscription key={one.id} subscription={one} api={api} changed={changed} />
					))}
				</section>
				<Invoices api={api} payment={payment} />
				<Payments api={api} />
			</div>
			<div class="stack">
				{charging && <charging.Methods api={api} onChange={setPayment} />}
				{usage.length > 0 && <Usage usage={usage} />}
				<Billing billing={billing} api={api} changed={changed} />
			</div>
		</div>
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
