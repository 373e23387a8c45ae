import { useState } from "preact/hooks";
import type { PortalApi, PortalBilling } from "./api.portal";
import { addressIn, type Details, DetailsFields, detailsOf, isAtField, taxIdIn } from "./forms";
import { Problem, useAction, useWords } from "./parts";

interface BillingProps {
	readonly billing: PortalBilling;
	readonly api: PortalApi;
	readonly changed: (message: string) => void;
}

/** Addresses from other sources can have a country name instead of a code. */
const countryName = (country: string, language: string): string =>
	/^[A-Z]{2}$/.test(country) ? (new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country) : country;

export function Billing({ billing, api, changed }: BillingProps) {
	const { say, language } = useWords();
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
				{!details && !api.onlyShows && (
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
						address?.country && countryName(address.country, language),
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
