import { useState } from "preact/hooks";
import type { Caller } from "./api";
import { type BudgetsApi, budgetsApi, type PortalBudget } from "./api.budgets";
import { LimitDialog, RequestDialog } from "./budget-dialogs";
import { BudgetRequests } from "./budget-requests";
import { addTexts } from "./messages";
import * as budgetMessages from "./messages.budgets";
import { Problem, useAction, useLoaded, useWords } from "./parts";

addTexts({ en: budgetMessages.en, de: budgetMessages.de });

const nameOf = ({ displayName, entityId }: Pick<PortalBudget, "displayName" | "entityId">): string =>
	displayName ?? entityId;

interface BudgetsProps {
	readonly caller: Caller;
	/** Shows the tree alone. */
	readonly isReadOnly?: boolean;
	/** The request that a link opens. */
	readonly requestId?: string | null;
}

/** The budgets that a link shows, by utilization, and the requests for higher ones. */
export function Budgets({ caller, isReadOnly = false, requestId = null }: BudgetsProps) {
	const [api] = useState(() => budgetsApi(caller));
	const [message, setMessage] = useState("");
	const [turn, setTurn] = useState(0);
	const changed = (text: string) => {
		setMessage(text);
		setTurn(turn + 1);
	};
	return (
		<div class="stack" part="budgets">
			<p role="status" class={message ? "note" : undefined}>
				{message}
			</p>
			{!isReadOnly && <BudgetRequests api={api} turn={turn} changed={changed} openId={requestId} />}
			<Tree api={api} turn={turn} changed={changed} isReadOnly={isReadOnly} />
		</div>
	);
}

interface TreeProps {
	readonly api: BudgetsApi;
	readonly turn: number;
	readonly changed: (message: string) => void;
	readonly isReadOnly: boolean;
}

function Tree({ api, turn, changed, isReadOnly }: TreeProps) {
	const { say } = useWords();
	const [search, setSearch] = useState("");
	const [more, setMore] = useState<{ of: string; rows: readonly PortalBudget[]; next: string | null }>();
	const of = `${search} ${turn}`;
	const { value, error, again } = useLoaded(() => api.list(search, null), [api, search, turn]);
	const { isBusy, error: failed, run } = useAction();
	const later = more?.of === of ? more : undefined;
	const rows = [...(value?.data ?? []), ...(later?.rows ?? [])];
	const next = later ? later.next : value?.pagination.next;
	const showMore = (after: string) =>
		run(async () => {
			const page = await api.list(search, after);
			setMore({ of, rows: [...(later?.rows ?? []), ...page.data], next: page.pagination.next });
		});
	return (
		<section class="card" aria-labelledby="budgets">
			<div class="row">
				<h2 id="budgets">{say("budgets")}</h2>
				<input
					type="search"
					aria-label={say("budgetsSearch")}
					placeholder={say("budgetsSearch")}
					maxLength={255}
					value={search}
					onChange={({ currentTarget }) => setSearch(currentTarget.value.trim())}
				/>
			</div>
			{error !== undefined && <Problem error={error} retry={again} />}
			{value && rows.length === 0 && <p class="quiet">{say("budgetsNone")}</p>}
			<ul class="stack">
				{rows.map((budget) => (
					<Budget key={keyOf(budget)} budget={budget} api={api} changed={changed} isReadOnly={isReadOnly} />
				))}
			</ul>
			{failed !== undefined && <Problem error={failed} />}
			{next && (
				<button type="button" disabled={isBusy} onClick={() => showMore(next)}>
					{say("more")}
				</button>
			)}
		</section>
	);
}

const keyOf = ({ entityId, featureId, currencyId, scopeEntityIds }: PortalBudget): string =>
	JSON.stringify([entityId, featureId, currencyId, scopeEntityIds]);

function Budget({ budget, api, changed, isReadOnly }: { readonly budget: PortalBudget } & Omit<TreeProps, "turn">) {
	const { say, number, date } = useWords();
	const [opened, setOpened] = useState<"limit" | "request">();
	const { name, units, usageLimit, currentUsage, reservedUsage = 0, usagePeriodEnd, parentId, scopeEntityIds } = budget;
	const used = currentUsage ?? 0;
	const entity = nameOf(budget);
	const dialog = { budget, api, changed, close: () => setOpened(undefined) };
	const places = [
		...(parentId === null ? [] : [say("within", { parent: parentId })]),
		...(scopeEntityIds.length === 0 ? [] : [say("forScope", { scope: scopeEntityIds.join(", ") })]),
		name,
	];
	const figures = [
		usageLimit === null
			? say("noLimit", { used: number(used) })
			: `${say("of", { used: number(used), limit: number(usageLimit) })}${units ? ` ${units}` : ""}`,
		...(reservedUsage > 0 ? [say("reservedToo", { reserved: number(reservedUsage) })] : []),
	];
	return (
		<li>
			<div class="row">
				<span class="name">
					{entity} <span class="quiet">{places.join(" · ")}</span>
				</span>
				<span class="quiet">{figures.join(", ")}</span>
			</div>
			{usageLimit !== null && (
				<meter
					min={0}
					max={Math.max(usageLimit, used, 1)}
					value={used}
					high={usageLimit * 0.9}
					aria-label={`${entity}, ${name}`}
				/>
			)}
			<div class="row">
				<span class="quiet">{usagePeriodEnd && say("resets", { date: date(usagePeriodEnd) })}</span>
				{!isReadOnly && (
					<span class="row">
						{budget.isGoverned && (
							<button type="button" aria-label={say("changeLimitOf", { entity })} onClick={() => setOpened("limit")}>
								{say("changeLimit")}
							</button>
						)}
						{usageLimit !== null && scopeEntityIds.length === 0 && (
							<button type="button" aria-label={say("requestMoreFor", { entity })} onClick={() => setOpened("request")}>
								{say("requestMore")}
							</button>
						)}
					</span>
				)}
			</div>
			{opened === "limit" && <LimitDialog {...dialog} />}
			{opened === "request" && <RequestDialog {...dialog} />}
		</li>
	);
}
