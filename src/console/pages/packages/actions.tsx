import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { AddonUpdate } from "../../../areas/addons/schema";
import { PlanUpdate } from "../../../areas/plans/schema";
import { type ApiError, send } from "../../api";
import { ConfirmButton, Dialog } from "../../kit/dialog";
import { Form, NumberField, TextField } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { Sell } from "../subscriptions/sell";
import { kinds, type OfPackage, type Package, pathOf } from "./kinds";
import { PublishButton } from "./publish";

/** Of what is sold: another version begins as a draft. */
export function SoldActions({ kind, of, hasDraft }: OfPackage & { readonly hasDraft: boolean }) {
	const path = pathOf(kind, of.id);
	const [, navigate] = useLocation();
	const client = useQueryClient();
	const drafting = useMutation({
		mutationFn: () => send<{ data: Package }>("POST", `${path}/draft`),
		onSuccess: async ({ data: { versionNumber: number } }) => {
			await client.invalidateQueries();
			toast(t.drafted({ number }));
			navigate(`${path}?version=${number}`);
		},
		onError: (error: ApiError) => toast(error.message),
	});
	if (of.status === "ARCHIVED" || of.isLatest === false) return null;
	return (
		<>
			<ConfirmButton
				label={t.archive}
				title={t.archiveTitle({ name: of.displayName })}
				says={t.archiveSays}
				isDanger
				perform={() => send("POST", `${path}/archive`)}
			/>
			{!hasDraft && (
				<button type="button" disabled={drafting.isPending} onClick={() => drafting.mutate()}>
					{t.newVersion}
				</button>
			)}
			{kind === "PLAN" && of.pricingType !== "CUSTOM" && may("SUBSCRIPTION:WRITE") && <SellButton planId={of.id} />}
		</>
	);
}

function SellButton({ planId }: { readonly planId: string }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" className="solid" onClick={() => setOpen(true)}>
				{t.sell}
			</button>
			<Sell planId={planId} isOpen={isOpen} onClose={() => setOpen(false)} />
		</>
	);
}

export function DraftActions({ kind, of }: OfPackage) {
	const path = pathOf(kind, of.id);
	const [, navigate] = useLocation();
	const isFirst = of.versionNumber === 1;
	return (
		<>
			<ConfirmButton
				label={t.discard}
				title={t.discardTitle({ name: of.displayName })}
				says={isFirst ? t.discardFirstSays : t.discardSays}
				isDanger
				perform={() => send("DELETE", `${path}/draft`)}
				onDone={() => navigate(isFirst ? kinds[kind].path : path)}
			/>
			<EditButton kind={kind} of={of} />
			<PublishButton kind={kind} of={of} />
		</>
	);
}

function EditButton({ kind, of }: OfPackage) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.edit}
			</button>
			<Dialog title={t.edit} isOpen={isOpen} onClose={close}>
				<Form
					schema={kind === "PLAN" ? PlanUpdate : AddonUpdate}
					initial={{
						displayName: of.displayName,
						description: of.description ?? undefined,
						...("maxQuantity" in of && { maxQuantity: of.maxQuantity ?? undefined }),
					}}
					action={t.save}
					submit={(body) =>
						send("PATCH", pathOf(kind, of.id), {
							description: null,
							...(kind === "ADDON" && { maxQuantity: null }),
							...body,
						})
					}
					onCancel={close}
					onDone={() => {
						close();
						toast(t.saved);
					}}
				>
					<TextField name="displayName" label={t.name} isRequired />
					<TextField name="description" label={t.description} />
					{kind === "ADDON" && <NumberField name="maxQuantity" label={t.maxQuantity} step={1} />}
				</Form>
			</Dialog>
		</>
	);
}
