import { useState } from "preact/hooks";
import { type Caller, Refusal } from "./api";
import { checkoutApi, type Checkout as Order } from "./api.portal";
import { periodText } from "./billing-period";
import { addressIn, DetailsFields, detailsOf, Field, isAtField, Sums, taxIdIn } from "./forms";
import { wordsIn } from "./messages";
import { Problem, Reading, useAction, useLoaded, useWords } from "./parts";
import { Ended } from "./portal";

export function Checkout({ caller }: { readonly caller: Caller }) {
	const [api] = useState(() => checkoutApi(caller));
	const { value, error, again } = useLoaded(api.read, [api]);
	const words = wordsIn(value?.language);
	const isEnded = error instanceof Refusal && error.status === 401;
	return (
		<Reading.Provider value={words}>
			<div class="stack" lang={words.language}>
				<h1>{words.say("checkout")}</h1>
				{isEnded ? <Ended /> : error !== undefined && <Problem error={error} retry={again} />}
				{!value && error === undefined && <p role="status">{words.say("loading")}</p>}
				{value?.status === "COMPLETED" && <Done successUrl={value.successUrl} />}
				{value?.status === "OPEN" && <Form order={value} api={api} />}
			</div>
		</Reading.Provider>
	);
}

function Done({ successUrl }: { readonly successUrl: string | null }) {
	const { say } = useWords();
	return (
		<div class="card" role="status">
			<h2>{say("done")}</h2>
			{successUrl && (
				<div>
					<a class="button main" href={successUrl} rel="noreferrer">
						{say("goOn")}
					</a>
				</div>
			)}
		</div>
	);
}

const codesOfCoupons = new Set(["CouponNotFound", "ArchivedCouponCantBeApplied"]);

function Form({ order, api }: { readonly order: Order; readonly api: ReturnType<typeof checkoutApi> }) {
	const words = useWords();
	const { say, number } = words;
	const [details, setDetails] = useState(() => detailsOf(order.customer));
	const [typed, setTyped] = useState("");
	const [couponId, setCoupon] = useState<string>();
	const [unknownCode, setUnknown] = useState(false);
	const [done, setDone] = useState<string>();
	const { isBusy, error, run } = useAction();
	const { country } = details;
	const priced = { ...(couponId !== undefined && { couponId }), ...(country && { address: { country } }) };
	const preview = useLoaded(() => api.preview(priced), [couponId, country]);
	if (done !== undefined) return <Done successUrl={done} />;
	const currency = order.plan.prices.find((price) => price.currency)?.currency ?? "usd";
	const apply = () =>
		run(async () => {
			setUnknown(false);
			try {
				const code = typed.trim();
				if (code) await api.preview({ ...priced, couponId: code });
				setCoupon(code || undefined);
			} catch (thrown) {
				const isCode =
					thrown instanceof Refusal && (codesOfCoupons.has(thrown.code ?? "") || thrown.code === "BadUserInput");
				if (!isCode) throw thrown;
				setCoupon(undefined);
				setUnknown(true);
			}
		});
	const confirm = (event: Event) => {
		event.preventDefault();
		const offer = preview.value?.offer;
		if (offer === undefined) return;
		const address = addressIn(details);
		const taxId = order.allowTaxIdCollection ? taxIdIn(details) : undefined;
		void run(async () => {
			try {
				const { successUrl } = await api.confirm({
					...{
						offer,
						...(couponId !== undefined && { couponId }),
						...(address && { address }),
						...(taxId && { taxId }),
					},
					...(details.name && { name: details.name }),
					...(details.email && { email: details.email }),
				});
				setDone(successUrl);
				location.assign(successUrl);
			} catch (thrown) {
				// The price has changed: the sums are read again before the customer can confirm.
				if (thrown instanceof Refusal && thrown.code === "InvalidArgumentError") preview.again();
				throw thrown;
			}
		});
	};
	return (
		<form class="two" onSubmit={confirm}>
			<div class="stack">
				<section class="card" aria-labelledby="billing">
					<h2 id="billing">{say("billing")}</h2>
					<DetailsFields
						details={details}
						change={setDetails}
						error={error}
						isRequired={order.collectBillingAddress}
						withTaxId={order.allowTaxIdCollection}
					/>
				</section>
				<section class="card" aria-labelledby="pay">
					<h2 id="pay">{say("pay")}</h2>
					<label class="option">
						<input type="radio" name="payment" checked readOnly />
						<span>
							<strong>{say("payByInvoice")}</strong>
							<br />
							<span class="quiet">{say("payByInvoiceText")}</span>
						</span>
					</label>
				</section>
			</div>
			<section class="card" aria-labelledby="order">
				<h2 id="order">{say("order")}</h2>
				<p class="name">
					<strong>{order.plan.displayName}</strong>
				</p>
				{order.plan.description && <p class="quiet name">{order.plan.description}</p>}
				{order.addons.map(({ id, displayName, quantity }) => (
					<p key={id} class="quiet">
						{number(quantity)} × {displayName}
					</p>
				))}
				{order.allowPromoCodes && (
					<div class="stack">
						<Field
							name="code"
							label={say("code")}
							value={typed}
							change={(value) => {
								setTyped(value);
								setUnknown(false);
							}}
							error={unknownCode ? say("unknownCode") : undefined}
						/>
						<div class="row start">
							<button type="button" disabled={isBusy} onClick={apply}>
								{say("apply")}
							</button>
							{couponId !== undefined && <span role="status">{say("applied")}</span>}
						</div>
					</div>
				)}
				<div class="stack" aria-live="polite">
					{preview.error !== undefined && <Problem error={preview.error} retry={preview.again} />}
					{preview.value && <Sums invoice={preview.value.immediateInvoice} title={say("today")} currency={currency} />}
					{preview.value?.recurringInvoice && (
						<Sums
							invoice={preview.value.recurringInvoice}
							title={`${say("later")}, ${periodText(words, { ...order, billingPeriod: order.billingPeriod ?? "MONTHLY" })}`}
							currency={currency}
						/>
					)}
				</div>
				{error !== undefined && !isAtField(error) && <Problem error={error} />}
				<button type="submit" class="main" disabled={isBusy || !preview.value}>
					{say("confirmOrder")}
				</button>
				<a class="button" href={order.cancelUrl} rel="noreferrer">
					{say("back")}
				</a>
			</section>
		</form>
	);
}
