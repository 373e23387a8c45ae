CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`display_name` text NOT NULL,
	`prefix` text NOT NULL,
	`hash` text NOT NULL,
	`scopes` text,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`environment_id`) REFERENCES `environments`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_environment` ON `api_keys` (`environment_id`);--> statement-breakpoint
CREATE TABLE `environments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`unknown_customers` text DEFAULT 'refuse' NOT NULL,
	`client_hardening` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `environments_name` ON `environments` (`account_id`,`name`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`account_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_user` ON `memberships` (`user_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_token_hash_unique` ON `sessions` (`token_hash`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `contract_items` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`external_id` text,
	`name` text NOT NULL,
	`item_name` text,
	`pricing_model_id` text NOT NULL,
	`rows` text NOT NULL,
	`billing_cycle_unit` text NOT NULL,
	`billing_cycle_count` integer NOT NULL,
	`payment_time` text NOT NULL,
	`discount` text,
	`tax` text,
	`net_terms` integer,
	`separate_invoice` integer NOT NULL,
	`currency` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`payment_account_id` text NOT NULL,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_account_id`) REFERENCES `payment_accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contract_items_contract` ON `contract_items` (`contract_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `contract_items_external` ON `contract_items` (`contract_id`,`external_id`);--> statement-breakpoint
CREATE TABLE `contract_subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`contract_id`) REFERENCES `contracts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `contract_subscriptions_contract` ON `contract_subscriptions` (`contract_id`,`position`);--> statement-breakpoint
CREATE TABLE `contracts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`name` text,
	`po_number` text,
	`billing_state` text,
	`activation_start_at` integer,
	`activation_end_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `contracts_ref` ON `contracts` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `contracts_page` ON `contracts` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `contracts_customer` ON `contracts` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `contracts_name` ON `contracts` (`environment_id`,`name`);--> statement-breakpoint
CREATE TABLE `legal_entities` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`name` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `legal_entities_environment` ON `legal_entities` (`environment_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `legal_entities_default` ON `legal_entities` (`environment_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `payment_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`legal_entity_id` text NOT NULL,
	`name` text NOT NULL,
	`is_default` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`legal_entity_id`) REFERENCES `legal_entities`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `payment_accounts_entity` ON `payment_accounts` (`legal_entity_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payment_accounts_default` ON `payment_accounts` (`legal_entity_id`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `coupons` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`percent_off` text,
	`amounts_off` text,
	`duration_months` integer,
	`metadata` text,
	`source` text NOT NULL,
	`billing_id` text,
	`billing_link_url` text,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_ref` ON `coupons` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `coupons_page` ON `coupons` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `custom_currencies` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`symbol` text,
	`unit_singular` text,
	`unit_plural` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `custom_currencies_active_ref` ON `custom_currencies` (`environment_id`,`ref_id`) WHERE "custom_currencies"."archived_at" is null;--> statement-breakpoint
CREATE INDEX `custom_currencies_page` ON `custom_currencies` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `customer_resources` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customer_resources_ref` ON `customer_resources` (`customer_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `customer_resources_page` ON `customer_resources` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `customer_resources_name` ON `customer_resources` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`billing_id` text NOT NULL,
	`name` text,
	`email` text,
	`billing_currency` text,
	`language` text,
	`timezone` text,
	`coupon_id` text,
	`coupon_applied_at` integer,
	`default_payment_method` text,
	`integrations` text NOT NULL,
	`passthrough` text,
	`metadata` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`coupon_id`) REFERENCES `coupons`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_ref` ON `customers` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `customers_billing` ON `customers` (`environment_id`,`billing_id`);--> statement-breakpoint
CREATE INDEX `customers_page` ON `customers` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`environment_id`,`email`);--> statement-breakpoint
CREATE INDEX `customers_name` ON `customers` (`environment_id`,`name`);--> statement-breakpoint
CREATE TABLE `features` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`feature_type` text NOT NULL,
	`meter_type` text NOT NULL,
	`status` text NOT NULL,
	`feature_units` text,
	`feature_units_plural` text,
	`enum_configuration` text,
	`unit_transformation` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `features_ref` ON `features` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `features_page` ON `features` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `meters` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`feature_id` text NOT NULL,
	`aggregation` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `meters_feature` ON `meters` (`feature_id`);--> statement-breakpoint
CREATE INDEX `meters_environment` ON `meters` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `invoice_lines` (
	`invoice_id` text NOT NULL,
	`environment_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`description` text NOT NULL,
	`quantity` text,
	`unit_price` text,
	`tiers` text,
	`amount` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`tax_percentage` text,
	`period_start` integer,
	`period_end` integer,
	`product_ref_id` text,
	`feature_ref_id` text,
	`addon_ref_id` text,
	PRIMARY KEY(`invoice_id`, `position`),
	FOREIGN KEY (`invoice_id`) REFERENCES `invoices`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `invoice_sequences` (
	`environment_id` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invoices` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`subscription_id` text,
	`contract_id` text,
	`contract_ref_id` text,
	`number` text NOT NULL,
	`sequence` integer NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`billing_reason` text NOT NULL,
	`currency` text NOT NULL,
	`issued_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`paid_at` integer,
	`canceled_at` integer,
	`period_start` integer,
	`period_end` integer,
	`sub_total` text NOT NULL,
	`discount` text NOT NULL,
	`tax` text NOT NULL,
	`total` text NOT NULL,
	`total_hundredths` integer NOT NULL,
	`tax_percentage` text,
	`discount_label` text,
	`po_number` text,
	`notes` text,
	`custom_fields` text NOT NULL,
	`issuer` text NOT NULL,
	`customer` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_sequence` ON `invoices` (`environment_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `invoices_customer_issued` ON `invoices` (`environment_id`,`customer_id`,`issued_at`,`id`);--> statement-breakpoint
CREATE INDEX `invoices_subscription` ON `invoices` (`environment_id`,`subscription_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `invoices_contract` ON `invoices` (`environment_id`,`contract_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `charges` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`version_id` text NOT NULL,
	`is_overage` integer NOT NULL,
	`billing_model` text NOT NULL,
	`billing_cadence` text NOT NULL,
	`billing_period` text NOT NULL,
	`billing_country_code` text,
	`feature_id` text,
	`overage_currency_id` text,
	`top_up_currency_id` text,
	`price` text,
	`tiers_mode` text,
	`tiers` text,
	`block_size` text,
	`min_unit_quantity` integer,
	`max_unit_quantity` integer,
	`credit_amount` text,
	`credit_currency_id` text,
	`credit_cost_formula` text,
	`credit_grant_cadence` text,
	`reset_period` text,
	`reset_anchor` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`overage_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`top_up_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `charges_version` ON `charges` (`version_id`,`id`);--> statement-breakpoint
CREATE TABLE `package_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`version_id` text NOT NULL,
	`type` text NOT NULL,
	`feature_id` text,
	`currency_id` text,
	`description` text,
	`display_name_override` text,
	`is_granted` integer NOT NULL,
	`is_custom` integer,
	`display_order` real,
	`hidden_from_widgets` text NOT NULL,
	`behavior` text NOT NULL,
	`has_soft_limit` integer,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`reset_period` text,
	`reset_anchor` text,
	`enum_values` text,
	`amount` text,
	`cadence` text,
	`dependency_feature_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`dependency_feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_entitlements_feature` ON `package_entitlements` (`version_id`,`feature_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `package_entitlements_currency` ON `package_entitlements` (`version_id`,`currency_id`);--> statement-breakpoint
CREATE TABLE `package_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`package_id` text NOT NULL,
	`version_number` integer NOT NULL,
	`status` text NOT NULL,
	`is_latest` integer NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`billing_id` text,
	`metadata` text NOT NULL,
	`pricing_type` text,
	`overage_billing_period` text,
	`parent_id` text,
	`compatible_addon_refs` text,
	`default_trial` text,
	`dependency_refs` text,
	`max_quantity` integer,
	`published_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`parent_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_number` ON `package_versions` (`package_id`,`version_number`);--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_draft` ON `package_versions` (`package_id`) WHERE status = 'DRAFT';--> statement-breakpoint
CREATE UNIQUE INDEX `package_versions_latest` ON `package_versions` (`package_id`) WHERE is_latest = 1;--> statement-breakpoint
CREATE INDEX `package_versions_parent` ON `package_versions` (`parent_id`);--> statement-breakpoint
CREATE INDEX `package_versions_page` ON `package_versions` (`package_id`,`id`);--> statement-breakpoint
CREATE TABLE `packages` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`kind` text NOT NULL,
	`ref_id` text NOT NULL,
	`product_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `packages_ref` ON `packages` (`environment_id`,`kind`,`ref_id`);--> statement-breakpoint
CREATE INDEX `packages_page` ON `packages` (`environment_id`,`kind`,`id`);--> statement-breakpoint
CREATE INDEX `packages_product` ON `packages` (`product_id`);--> statement-breakpoint
CREATE TABLE `products` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text,
	`metadata` text NOT NULL,
	`multiple_subscriptions` integer NOT NULL,
	`settings` text NOT NULL,
	`usage_reset` text NOT NULL,
	`archived_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `products_ref` ON `products` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `products_page` ON `products` (`environment_id`,`id`);--> statement-breakpoint
CREATE TABLE `subscription_addons` (
	`subscription_id` text NOT NULL,
	`addon_id` text NOT NULL,
	`version_id` text NOT NULL,
	`position` integer NOT NULL,
	`quantity` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `addon_id`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`addon_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_addons_version` ON `subscription_addons` (`version_id`);--> statement-breakpoint
CREATE TABLE `subscription_coupons` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`coupon_id` text NOT NULL,
	`status` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`coupon_id`) REFERENCES `coupons`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_coupons_subscription` ON `subscription_coupons` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `subscription_entitlements` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`feature_id` text,
	`usage_limit` text,
	`has_unlimited_usage` integer,
	`has_soft_limit` integer,
	`reset_period` text,
	`reset_anchor` text,
	`currency_id` text,
	`amount` text,
	`cadence` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_entitlements_subscription` ON `subscription_entitlements` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `subscription_quantities` (
	`subscription_id` text NOT NULL,
	`position` integer NOT NULL,
	`feature_id` text,
	`currency_id` text,
	`quantity` text NOT NULL,
	PRIMARY KEY(`subscription_id`, `position`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`feature_id`) REFERENCES `features`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`currency_id`) REFERENCES `custom_currencies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `subscription_version_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`subscription_id` text NOT NULL,
	`package_id` text NOT NULL,
	`from_version_id` text NOT NULL,
	`to_version_id` text NOT NULL,
	`changed_at` integer NOT NULL,
	`prices_from` integer NOT NULL,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`package_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`from_version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`to_version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `subscription_version_changes_subscription` ON `subscription_version_changes` (`subscription_id`,`id`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`billing_id` text,
	`customer_id` text NOT NULL,
	`paying_customer_id` text,
	`resource_id` text,
	`product_id` text NOT NULL,
	`plan_id` text NOT NULL,
	`version_id` text NOT NULL,
	`status` text NOT NULL,
	`cancel_reason` text,
	`pricing_type` text NOT NULL,
	`billing_period` text,
	`billing_country_code` text,
	`start_at` integer NOT NULL,
	`end_at` integer,
	`cancel_at` integer,
	`ended_at` integer,
	`trial_end_at` integer,
	`trial_end_behavior` text,
	`billing_anchor_at` integer,
	`billed_until` integer,
	`usage_anchor_at` integer NOT NULL,
	`payment_collection` text NOT NULL,
	`payment_collection_method` text,
	`minimum_spend` text,
	`budget` text,
	`tax_percentage` text,
	`invoice_days_until_due` integer,
	`billing_details` text,
	`price_overrides` text NOT NULL,
	`metadata` text NOT NULL,
	`salesforce_id` text,
	`contract_id` text,
	`contract_ref_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`paying_customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`resource_id`) REFERENCES `customer_resources`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`product_id`) REFERENCES `products`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`plan_id`) REFERENCES `packages`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`version_id`) REFERENCES `package_versions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_ref` ON `subscriptions` (`environment_id`,`ref_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_page` ON `subscriptions` (`environment_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_plan` ON `subscriptions` (`plan_id`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_version` ON `subscriptions` (`version_id`,`status`,`billing_period`,`billing_country_code`,`end_at`,`environment_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_contract` ON `subscriptions` (`contract_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running` ON `subscriptions` (`customer_id`,`product_id`) WHERE status = 'ACTIVE' AND resource_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_running_resource` ON `subscriptions` (`customer_id`,`product_id`,`resource_id`) WHERE status = 'ACTIVE' AND resource_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`environment_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`dedupe_key` text,
	`payload` text NOT NULL,
	`total_count` integer NOT NULL,
	`done_count` integer DEFAULT 0 NOT NULL,
	`errors` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`ended_at` integer
);
--> statement-breakpoint
CREATE INDEX `tasks_queue` ON `tasks` (`type`,`status`,`due_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_dedupe` ON `tasks` (`environment_id`,`type`,`dedupe_key`) WHERE status IN ('PENDING', 'IN_PROGRESS') AND dedupe_key IS NOT NULL;--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`environment_id` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`environment_id`, `method`, `path`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_age` ON `idempotency_keys` (`created_at`);