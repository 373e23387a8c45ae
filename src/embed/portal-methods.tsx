import { useEffect, useRef, useState } from "preact/hooks";
import type { OwnAttempt, OwnMethod, PortalApi, PortalInvoice, PortalPayment } from "./api.portal";
import { Problem, useAction, useWords } from "./parts";

/** The interval at which the page reads payments again while one is under way. */
const watchedMs = 2_000;
/** The page looks for a saved method for this long after the customer came back from the provider. */
const returnMs = 30_000;
const returned = "tollgate-saves-method";

export interface OwnPayment extends PortalPayment {
	/** The number of attempts that have ended while the page was open. Their invoices have changed. */
	readonly ended: number;
	readonly mayPay: (invoice: PortalInvoice) => boolean;
	readonly pay: (invoiceId: string) => Promise<void>;
	readonly show: (payment: PortalPayment) => void;
}

/** Reads the customer's payment methods, and the payments that are under way until they end. Undefined without a provider. */
function usePayment(api: PortalApi): OwnPayment | undefined {
	const [payment, show] = useState<PortalPayment>();
	const [ended, setEnded] = useState(0);
	const [turn, setTurn] = useState(0);
	const open = useRef(0);
	const isReturning = Date.now() - Number(sessionStorage.getItem(returned) ?? 0) < returnMs;
	useEffect(() => {
		let isOver = false;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const read = async () => {
			// Without an answer, the page is as useful as without a provider.
			const now = await api.payment().catch(() => undefined);
			if (isOver) return;
			if (now) {
				show(now);
				if (now.attempts.length < open.current) setEnded((before) => before + 1);
				open.current = now.attempts.length;
			}
			if (isReturning || open.current > 0) timer = setTimeout(read, watchedMs);
		};
		// A payment takes a moment.
		if (turn === 0) void read();
		else timer = setTimeout(read, watchedMs);
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [api, turn, isReturning]);
	if (!payment?.canPay) return undefined;
	return {
		...payment,
		ended,
		show,
		mayPay: ({ id, state, due }) =>
			state === "OPEN" &&
			due > 0 &&
			payment.methods.some(({ isDefault }) => isDefault) &&
			!payment.attempts.some(({ invoiceId }) => invoiceId === id),
		pay: async (id) => {
			const attempt = await api.pay(id);
			open.current += 1;
			show({ ...payment, attempts: [attempt, ...payment.attempts] });
			setTurn((before) => before + 1);
		},
	};
}

interface MethodsProps {
	readonly api: PortalApi;
	/** Receives what the invoices need, whenever it changes. */
	readonly onChange: (payment: OwnPayment | undefined) => void;
}

/** The saved payment methods, and the payments that wait. */
export function Methods({ api, onChange }: MethodsProps) {
	const { say } = useWords();
	const { isBusy, error, run } = useAction();
	const payment = usePayment(api);
	useEffect(() => onChange(payment), [payment?.methods, payment?.attempts, payment?.ended]);
	if (!payment) return null;
	const { methods, attempts, show } = payment;
	const add = () =>
		run(async () => {
			const { url } = await api.addMethod();
			sessionStorage.setItem(returned, String(Date.now()));
			location.assign(url);
		});
	return (
		<section class="card" aria-labelledby="methods" part="methods">
			<h2 id="methods">{say("methods")}</h2>
			{attempts.map((attempt) => (
				<Waiting key={attempt.id} attempt={attempt} />
			))}
			{methods.length === 0 && <p class="quiet">{say("noMethods")}</p>}
			<ul class="stack">
				{methods.map((method) => (
					<li key={method.id} class="row">
						<MethodName method={method} />
						<span class="row start">
							{method.isDefault ? (
								<span class="quiet">{say("isDefault")}</span>
							) : (
								<button
									type="button"
									disabled={isBusy}
									onClick={() => run(async () => show(await api.chooseMethod(method.id)))}
								>
									{say("makeDefault")}
								</button>
							)}
							<button
								type="button"
								disabled={isBusy}
								onClick={() => run(async () => show(await api.removeMethod(method.id)))}
							>
								{say("removeMethod")}
							</button>
						</span>
					</li>
				))}
			</ul>
			{error !== undefined && <Problem error={error} />}
			<div>
				<button type="button" disabled={isBusy} onClick={add}>
					{say("addMethod")}
				</button>
			</div>
		</section>
	);
}

function MethodName({ method: { kind, brand, last4, expiryMonth, expiryYear } }: { readonly method: OwnMethod }) {
	const { say } = useWords();
	return (
		<span class="name">
			{brand ?? say(kind)}
			{last4 && ` ·· ${last4}`}
			{expiryMonth !== null && expiryYear !== null && (
				<span class="quiet"> {say("expires", { date: `${String(expiryMonth).padStart(2, "0")}/${expiryYear}` })}</span>
			)}
		</span>
	);
}

/** A payment that is under way, or that waits for the customer. */
function Waiting({ attempt: { state, amount, currency, actionUrl } }: { readonly attempt: OwnAttempt }) {
	const { say, money } = useWords();
	const values = { amount: money(amount, currency) };
	if (state !== "REQUIRES_ACTION" || !actionUrl)
		return (
			<p class="note" role="status">
				{say("paying", values)}
			</p>
		);
	return (
		<div class="note" role="status">
			<p>{say("mustConfirm", values)}</p>
			<div>
				<a class="button main" href={actionUrl} rel="noreferrer">
					{say("confirmPayment")}
				</a>
			</div>
		</div>
	);
}
