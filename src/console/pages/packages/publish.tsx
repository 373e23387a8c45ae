import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { PackagePublish } from "../../../areas/packages/schema";
import type { PublishImpact } from "../../../areas/packages/versions/schema.impact";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, SelectField, useForm } from "../../kit/form";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { Impact } from "./impact";
import { type OfPackage, pathOf } from "./kinds";
import { Simulation } from "./simulation";

type MigrationType = PackagePublish["migrationType"];

const migrationTypes: readonly MigrationType[] = ["NEW_CUSTOMERS", "ALL_CUSTOMERS"];

/** Says what it would change, and who would lose what, before it is done. */
export function PublishButton({ kind, of }: OfPackage) {
	const [isOpen, setOpen] = useState(false);
	const [, navigate] = useLocation();
	const path = pathOf(kind, of.id);
	const names = { number: of.versionNumber, name: of.displayName };
	return (
		<>
			<button type="button" className="solid" onClick={() => setOpen(true)}>
				{t.publish}
			</button>
			<Dialog kind="drawer" title={t.publishTitle(names)} isOpen={isOpen} onClose={() => setOpen(false)}>
				<Form
					initial={{ migrationType: "NEW_CUSTOMERS" }}
					action={t.publish}
					submit={(body) => send("POST", `${path}/publish`, body)}
					onCancel={() => setOpen(false)}
					onDone={() => {
						toast(t.published(names));
						setOpen(false);
						navigate(path);
					}}
				>
					<Publication kind={kind} of={of} />
				</Form>
			</Dialog>
		</>
	);
}

function Publication({ kind, of }: OfPackage) {
	const { entered } = useForm();
	const migrationType = migrationTypes.find((one) => one === entered.migrationType) ?? "NEW_CUSTOMERS";
	const path = `${pathOf(kind, of.id)}/publish?dryRun=true`;
	// Not a query: once it is published there is no draft to ask about again.
	const {
		data: impact,
		error,
		mutate: ask,
	} = useMutation({
		mutationFn: async (type: MigrationType) =>
			(await send<{ data: { impact: PublishImpact } }>("POST", path, { migrationType: type })).data.impact,
	});
	useEffect(() => ask(migrationType), [ask, migrationType]);
	return (
		<>
			<SelectField
				name="migrationType"
				label={t.whoGetsIt}
				hint={t[`${migrationType}_text`]}
				options={migrationTypes.map((value) => ({ value, label: t[value] }))}
			/>
			<Problem error={error} />
			{!impact && !error && (
				<>
					<p className="quiet">{t.reckoning}</p>
					<Skeleton lines={4} />
				</>
			)}
			{impact && <Impact of={impact} />}
			{kind === "PLAN" && of.versionNumber > 1 && of.pricingType !== "CUSTOM" && may("SUBSCRIPTION:READ") && (
				<Simulation planId={of.id} />
			)}
		</>
	);
}
