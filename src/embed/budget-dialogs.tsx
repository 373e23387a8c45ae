import { useState } from "preact/hooks";
import type { BudgetsApi, PortalBudget } from "./api.budgets";
import { Dialog } from "./forms";
import { Problem, useAction, useWords } from "./parts";

interface DialogProps {
	readonly budget: PortalBudget;
	readonly api: BudgetsApi;
	readonly changed: (message: string) => void;
	readonly close: () => void;
}

const capabilityOf = ({ featureId, currencyId }: PortalBudget) => ({
	...(featureId !== undefined && { featureId }),
	...(currencyId !== undefined && { currencyId }),
});

export function LimitDialog({ budget, api, changed, close }: DialogProps) {
	const { say } = useWords();
	const { isBusy, error, run } = useAction();
	const [limit, setLimit] = useState(budget.usageLimit === null ? "" : `${budget.usageLimit}`);
	const entity = budget.displayName ?? budget.entityId;
	const save = (event: Event) => {
		event.preventDefault();
		void run(async () => {
			await api.changeLimit(budget.entityId, {
				...capabilityOf(budget),
				scopeEntityIds: [...budget.scopeEntityIds],
				usageLimit: limit === "" ? null : Number(limit),
			});
			close();
			changed(say("limitChanged", { entity }));
		});
	};
	return (
		<Dialog title={say("changeLimitOf", { entity })} close={close}>
			<form class="stack" onSubmit={save}>
				<label>
					{say("newLimit", { name: budget.name })}
					<input
						type="number"
						min={0}
						step="any"
						value={limit}
						onInput={({ currentTarget }) => setLimit(currentTarget.value)}
					/>
				</label>
				{error !== undefined && <Problem error={error} />}
				<button type="submit" class="main" disabled={isBusy}>
					{say("save")}
				</button>
			</form>
		</Dialog>
	);
}

export function RequestDialog({ budget, api, changed, close }: DialogProps) {
	const { say } = useWords();
	const { isBusy, error, run } = useAction();
	const [amount, setAmount] = useState("");
	const [duration, setDuration] = useState("PERIOD");
	const [reason, setReason] = useState("");
	const send = (event: Event) => {
		event.preventDefault();
		void run(async () => {
			await api.request({
				...{ entityId: budget.entityId, ...capabilityOf(budget), amount: Number(amount), duration },
				...(reason.trim() && { reason: reason.trim() }),
			});
			close();
			changed(say("requested"));
		});
	};
	return (
		<Dialog title={say("requestMoreFor", { entity: budget.displayName ?? budget.entityId })} close={close}>
			<form class="stack" onSubmit={send}>
				<label>
					{say("additional", { name: budget.name })}
					<input
						type="number"
						required
						min={0}
						step="any"
						value={amount}
						onInput={({ currentTarget }) => setAmount(currentTarget.value)}
					/>
				</label>
				<label>
					{say("howLong")}
					<select value={duration} onChange={({ currentTarget }) => setDuration(currentTarget.value)}>
						<option value="PERIOD">{say("PERIOD")}</option>
						<option value="PERMANENT">{say("PERMANENT")}</option>
					</select>
				</label>
				<label>
					{say("reason")}
					<input maxLength={1000} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
				</label>
				{error !== undefined && <Problem error={error} />}
				<button type="submit" class="main" disabled={isBusy}>
					{say("sendRequest")}
				</button>
			</form>
		</Dialog>
	);
}
