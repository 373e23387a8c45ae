import { useState } from "preact/hooks";
import type { BudgetsApi, PortalBudgetRequest } from "./api.budgets";
import { Dialog } from "./forms";
import { Problem, useAction, useLoaded, useWords } from "./parts";

interface RequestsProps {
	readonly api: BudgetsApi;
	/** Changes when the requests may have changed. */
	readonly turn: number;
	readonly changed: (message: string) => void;
	/** The request that opens with the page. */
	readonly openId: string | null;
}

/** The undecided requests, with the buttons of those that the link may decide. */
export function BudgetRequests({ api, turn, changed, openId }: RequestsProps) {
	const { say } = useWords();
	const { value, error, again } = useLoaded(api.requests, [api, turn]);
	const [openedId, setOpenedId] = useState(openId);
	const opened = value?.data.find(({ id, isDecidable }) => id === openedId && isDecidable);
	return (
		<section class="card" aria-labelledby="requests" part="requests">
			<h2 id="requests">{say("requests")}</h2>
			{error !== undefined && <Problem error={error} retry={again} />}
			{value?.data.length === 0 && <p class="quiet">{say("requestsNone")}</p>}
			<ul class="stack">
				{value?.data.map((request) => (
					<Request
						key={request.id}
						request={request}
						api={api}
						changed={changed}
						approve={() => setOpenedId(request.id)}
					/>
				))}
			</ul>
			{opened && <ApprovalDialog request={opened} api={api} changed={changed} close={() => setOpenedId(null)} />}
		</section>
	);
}

const entityOf = ({ entityName, entityId }: PortalBudgetRequest): string => entityName ?? entityId;

interface RequestProps {
	readonly request: PortalBudgetRequest;
	readonly api: BudgetsApi;
	readonly changed: (message: string) => void;
}

function Request({ request, api, changed, approve }: RequestProps & { readonly approve: () => void }) {
	const { say, number } = useWords();
	const { isBusy, error, run } = useAction();
	const { id, amount, name, duration, personId, reason } = request;
	const entity = entityOf(request);
	const decline = () =>
		run(async () => {
			await api.decide(id, "decline", {});
			changed(say("declined"));
		});
	return (
		<li class="stack">
			<div class="row">
				<span class="name">
					{say("asksFor", { entity, amount: number(amount), name })}{" "}
					<span class="quiet">
						{[say(duration), ...(personId ? [say("askedBy", { person: personId })] : [])].join(" · ")}
					</span>
				</span>
				{request.isDecidable && (
					<span class="row">
						<button type="button" class="main" aria-label={say("approveFor", { entity })} onClick={approve}>
							{say("approve")}
						</button>
						<button type="button" aria-label={say("declineFor", { entity })} disabled={isBusy} onClick={decline}>
							{say("decline")}
						</button>
					</span>
				)}
			</div>
			{reason && <p class="quiet name">{reason}</p>}
			{error !== undefined && <Problem error={error} />}
		</li>
	);
}

function ApprovalDialog({ request, api, changed, close }: RequestProps & { readonly close: () => void }) {
	const { say, number } = useWords();
	const { isBusy, error, run } = useAction();
	const [amount, setAmount] = useState(`${request.amount}`);
	const entity = entityOf(request);
	const approve = (event: Event) => {
		event.preventDefault();
		void run(async () => {
			await api.decide(request.id, "approve", { amount: Number(amount) });
			close();
			changed(say("approved"));
		});
	};
	return (
		<Dialog title={say("approveFor", { entity })} close={close}>
			<form class="stack" onSubmit={approve}>
				<p>{say("asksFor", { entity, amount: number(request.amount), name: request.name })}</p>
				{request.reason && <p class="quiet name">{request.reason}</p>}
				<label>
					{say("approvedAmount")}
					<input
						type="number"
						required
						min={0}
						max={request.amount}
						step="any"
						value={amount}
						onInput={({ currentTarget }) => setAmount(currentTarget.value)}
					/>
				</label>
				{error !== undefined && <Problem error={error} />}
				<button type="submit" class="main" disabled={isBusy}>
					{say("approve")}
				</button>
			</form>
		</Dialog>
	);
}
