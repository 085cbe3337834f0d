/** Generated from the schema by `npm run codegen`; never edited by hand. */
export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string | number; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** The content of an activity: a JSON object. */
  ActivityStreamsPayload: { input: unknown; output: unknown; }
  /** Any JSON value. */
  Any: { input: unknown; output: unknown; }
  /** A name of a color, hexadecimal digits, or rgb(). */
  CssColor: { input: unknown; output: unknown; }
  /** A public key of OpenPGP, armored. */
  GPGKey: { input: unknown; output: unknown; }
  /** A GeoJSON geometry. */
  GeometryJSON: { input: unknown; output: unknown; }
  /** Any JSON value, unchanged. */
  HashObject: { input: { readonly [key: string]: unknown }; output: { readonly [key: string]: unknown }; }
  /** A time as ISO 8601 text. */
  ISO8601DateTime: { input: string; output: string; }
  /** A strength from 0.3 to 1000. */
  ImageBlur: { input: unknown; output: unknown; }
  /** A whole number from 0 to 100. */
  ImageQuality: { input: unknown; output: unknown; }
  /** A time. Results are ISO 8601 in UTC with milliseconds. Arguments may be such texts, or seconds since the epoch. */
  JSONDate: { input: string; output: string; }
  /** Any JSON value. JSON text is parsed. */
  JSONPayload: { input: unknown; output: unknown; }
  /** Values by property name. */
  PropertiesObject: { input: unknown; output: unknown; }
  /** The name of a column or of a property. */
  PropertyName: { input: string; output: string; }
};

/** Who may read an uploaded file. */
export type ACL =
  | 'private'
  | 'public';

export type ActiveRecordReference = {
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly type: Scalars['String']['input'];
};

export type ActivitiesSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** An activity. */
export type ActivityStreamsActivity = {
  readonly id: Scalars['ID']['output'];
  readonly payload?: Maybe<Scalars['ActivityStreamsPayload']['output']>;
  readonly uuid: Scalars['String']['output'];
};

/** One page of activities. */
export type ActivityStreamsActivityCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ActivityStreamsActivity>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** One page of a feed. */
export type ActivityStreamsActivityStreamCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ActivityStreamsActivity>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
  readonly unread_count: Scalars['Int']['output'];
};

/** A type of feeds. */
export type ActivityStreamsFeed = {
  readonly ids?: Maybe<ReadonlyArray<Scalars['ID']['output']>>;
  readonly name?: Maybe<Scalars['String']['output']>;
};

/** A handler of activities. Ingot has none: a template publishes an activity, or queues a job. */
export type ActivityStreamsHandler = {
  readonly filter?: Maybe<Scalars['ActivityStreamsPayload']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly targets?: Maybe<Scalars['ActivityStreamsPayload']['output']>;
};

/** One page of handlers. */
export type ActivityStreamsHandlerCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ActivityStreamsHandler>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type AddressImport = {
  readonly address?: InputMaybe<Scalars['String']['input']>;
  readonly address2?: InputMaybe<Scalars['String']['input']>;
  readonly apartment?: InputMaybe<Scalars['String']['input']>;
  readonly city?: InputMaybe<Scalars['String']['input']>;
  readonly country?: InputMaybe<Scalars['String']['input']>;
  readonly iso_country_code?: InputMaybe<Scalars['String']['input']>;
  readonly lat?: InputMaybe<Scalars['Float']['input']>;
  readonly lng?: InputMaybe<Scalars['Float']['input']>;
  readonly name: Scalars['String']['input'];
  readonly postcode?: InputMaybe<Scalars['String']['input']>;
  readonly service_radius?: InputMaybe<Scalars['String']['input']>;
  readonly state?: InputMaybe<Scalars['String']['input']>;
  readonly street?: InputMaybe<Scalars['String']['input']>;
  readonly street_number?: InputMaybe<Scalars['String']['input']>;
  readonly suburb?: InputMaybe<Scalars['String']['input']>;
};

export type AggregationField = {
  readonly aggregations?: InputMaybe<ReadonlyArray<InputMaybe<AggregationField>>>;
  readonly customization_name?: InputMaybe<Scalars['String']['input']>;
  readonly customization_property_name?: InputMaybe<Scalars['String']['input']>;
  readonly field_name?: InputMaybe<Scalars['String']['input']>;
  readonly name: Scalars['String']['input'];
  readonly profile_property_name?: InputMaybe<Scalars['String']['input']>;
  readonly profile_type?: InputMaybe<Scalars['String']['input']>;
  readonly size?: InputMaybe<Scalars['Int']['input']>;
  readonly sort?: InputMaybe<AggregationSort>;
  readonly type?: InputMaybe<AggregationTypeEnum>;
};

export type AggregationSort = {
  readonly name?: InputMaybe<AggregationSortFieldEnum>;
  readonly order?: InputMaybe<AggregationSortOrderEnum>;
};

export type AggregationSortFieldEnum =
  | '_count'
  | '_term';

export type AggregationSortOrderEnum =
  | 'asc'
  | 'desc';

export type AggregationTypeEnum =
  | 'avg'
  | 'max'
  | 'min'
  | 'terms';

/** Counts and extremes over all matches. */
export type Aggregations = {
  readonly compact?: Maybe<Scalars['JSONPayload']['output']>;
  readonly raw?: Maybe<Scalars['JSONPayload']['output']>;
};

/** An API call of the site. Settings are shown as written, including their Liquid. */
export type ApiCallNotification = {
  readonly callback?: Maybe<Scalars['String']['output']>;
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly delay_by?: Maybe<Scalars['String']['output']>;
  readonly forms?: Maybe<ReadonlyArray<Form>>;
  readonly headers?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly request_type: Scalars['String']['output'];
  readonly to: Scalars['String']['output'];
  readonly trigger_condition?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of calls. */
export type ApiCallNotificationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ApiCallNotification>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ApiCallNotificationInputType = {
  readonly callback?: InputMaybe<Scalars['String']['input']>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly headers?: InputMaybe<Scalars['HashObject']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly request_headers?: InputMaybe<Scalars['HashObject']['input']>;
  readonly request_type: Scalars['String']['input'];
  readonly to: Scalars['String']['input'];
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type ApiCallNotificationsFilterInput = {
  readonly callback?: InputMaybe<StringFilter>;
  readonly content?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly delay?: InputMaybe<StringFilter>;
  readonly delay_by?: InputMaybe<StringFilter>;
  readonly headers?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ApiCallNotificationsFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly to?: InputMaybe<StringFilter>;
  readonly trigger_condition?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type ApiCallNotificationsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** Options of a call. The timeout is in seconds. */
export type ApiCallSendOptions = {
  readonly internal?: InputMaybe<Scalars['Boolean']['input']>;
  readonly skip_ssl_verification?: InputMaybe<Scalars['Boolean']['input']>;
  readonly timeout?: InputMaybe<Scalars['Int']['input']>;
};

/** The response; null when there was none. */
export type ApiCallSendPayload = {
  /** @deprecated Field no longer supported */
  readonly errors: ReadonlyArray<BaseError>;
  readonly response?: Maybe<Response>;
};

/** A call of another service. */
export type ApiCallSendRequestInput = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  readonly headers?: InputMaybe<Scalars['HashObject']['input']>;
  readonly method: Scalars['String']['input'];
  readonly url: Scalars['String']['input'];
};

/** A file below `assets/`. */
export type Asset = {
  readonly content_type?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly file_size?: Maybe<Scalars['Int']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
  readonly url: Scalars['String']['output'];
  /** @deprecated Field no longer supported */
  readonly virtual_deleted_at?: Maybe<Scalars['JSONDate']['output']>;
};

/** One page of assets. */
export type AssetCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Asset>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** An uploaded asset. */
export type AssetInput = {
  /** Refused, except null: the server sets how long browsers keep assets. */
  readonly cache_control?: InputMaybe<Scalars['String']['input']>;
  /** In bytes. Another size than that of the uploaded file is refused. */
  readonly file_size?: InputMaybe<Scalars['Int']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  /** The path that admin_assets_presign_urls was given. */
  readonly name: Scalars['String']['input'];
  readonly physical_file_path: Scalars['String']['input'];
  /** Accepted, without effect: the server has the address of each asset. */
  readonly url?: InputMaybe<Scalars['String']['input']>;
};

/** The path of an asset below the folder of assets. That of a module's asset begins with modules/ and the module's name. */
export type AssetPresignInput = {
  readonly path: Scalars['String']['input'];
};

export type AssetUpdateAllInput = {
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
};

export type AssetUpdateInput = {
  /** Refused, except null: the server sets how long browsers keep assets. */
  readonly cache_control?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
};

export type AssetsCreateMutationPayload = {
  readonly assets?: Maybe<ReadonlyArray<Asset>>;
};

/** Lists of the assets of a site as JSON files, which are kept for a day. */
export type AssetsListing = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** The assets in the private folders of modules. */
  readonly private_assets_url?: Maybe<Scalars['String']['output']>;
  readonly public_assets_url?: Maybe<Scalars['String']['output']>;
  readonly status?: Maybe<Scalars['String']['output']>;
};

export type AssetsListingIdentifier = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
};

export type AssetsPresignUrlsMutationPayload = {
  readonly urls: ReadonlyArray<PresignedUrl>;
};

export type AssetsSortInput = {
  readonly content_type?: InputMaybe<StandardSort>;
  readonly created_at?: InputMaybe<StandardSort>;
  readonly file_size?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
  readonly virtual_deleted_at?: InputMaybe<StandardSort>;
};

/** The priority of a callback. */
export type AsyncCallbackPriority =
  | 'default'
  | 'high'
  | 'low';

export type AttachmentsImport = {
  readonly direct_path?: InputMaybe<Scalars['String']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly url?: InputMaybe<Scalars['String']['input']>;
};

/** Checks credentials of an account. */
export type Authenticate = {
  readonly jwt: Scalars['Boolean']['output'];
  /** drift is the number of seconds by which the code may be too old or too new. */
  readonly otp_code: Scalars['Boolean']['output'];
  readonly password: Scalars['Boolean']['output'];
  readonly temporary_token: Scalars['Boolean']['output'];
};


/** Checks credentials of an account. */
export type AuthenticatejwtArgs = {
  algorithm?: InputMaybe<JwtAlgorithm>;
  token: Scalars['String']['input'];
};


/** Checks credentials of an account. */
export type Authenticateotp_codeArgs = {
  code: Scalars['String']['input'];
  drift?: InputMaybe<Scalars['Int']['input']>;
};


/** Checks credentials of an account. */
export type AuthenticatepasswordArgs = {
  password: Scalars['String']['input'];
};


/** Checks credentials of an account. */
export type Authenticatetemporary_tokenArgs = {
  token: Scalars['String']['input'];
};

/** A link to an account at another provider. */
export type Authentication = {
  readonly created_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** The name of the provider in the address /auth/<name>; for links that the site has written itself, the same as provider. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** The provider. A configured provider with another name is openid_connect. */
  readonly provider?: Maybe<AuthenticationProvider>;
  readonly raw_info?: Maybe<Scalars['HashObject']['output']>;
  readonly token?: Maybe<Scalars['String']['output']>;
  readonly token_expires_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly uid?: Maybe<Scalars['String']['output']>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
};

export type AuthenticationInputType = {
  readonly provider: AuthenticationProvider;
  readonly raw_info?: InputMaybe<Scalars['HashObject']['input']>;
  readonly token?: InputMaybe<Scalars['String']['input']>;
  readonly token_expires_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly uid?: InputMaybe<Scalars['String']['input']>;
};

export type AuthenticationProvider =
  | 'auth0'
  | 'facebook'
  | 'github'
  | 'google'
  | 'instagram'
  | 'linkedin'
  | 'openid_connect'
  | 'saml'
  | 'twitter';

export type AuthorizationPoliciesFilter = {
  readonly not_value?: InputMaybe<Scalars['String']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type AuthorizationPoliciesFilterInput = {
  readonly content?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly flash_alert?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<AuthorizationPoliciesFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly redirect_to?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type AuthorizationPoliciesSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A policy of the site. */
export type AuthorizationPolicy = {
  readonly authorization_policy_associations?: Maybe<ReadonlyArray<AuthorizationPolicyAssociation>>;
  readonly content: Scalars['String']['output'];
  readonly created_at: Scalars['JSONDate']['output'];
  readonly flash_alert?: Maybe<Scalars['String']['output']>;
  readonly http_status?: Maybe<Scalars['Int']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly redirect_to?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** The use of an authorization policy by a page or form. */
export type AuthorizationPolicyAssociation = {
  readonly authorizable_id: Scalars['ID']['output'];
  readonly authorizable_type: Scalars['String']['output'];
  readonly authorization_policy_id: Scalars['ID']['output'];
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of policies. */
export type AuthorizationPolicyCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<AuthorizationPolicy>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type AuthorizationPolicyInputType = {
  readonly content: Scalars['String']['input'];
  readonly flash_alert?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
};

/** A job that is not finished. */
export type BackgroundJob = {
  readonly arguments?: Maybe<Scalars['JSONPayload']['output']>;
  readonly attempts?: Maybe<Scalars['Int']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly dead_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly error?: Maybe<Scalars['String']['output']>;
  readonly error_class?: Maybe<Scalars['String']['output']>;
  readonly error_message?: Maybe<Scalars['String']['output']>;
  readonly failed_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly form_configuration_name?: Maybe<Scalars['String']['output']>;
  readonly form_name?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly label?: Maybe<Scalars['String']['output']>;
  readonly liquid_body?: Maybe<Scalars['JSONPayload']['output']>;
  readonly locked_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly partial_name?: Maybe<Scalars['String']['output']>;
  readonly queue: Scalars['String']['output'];
  readonly resource_id?: Maybe<Scalars['ID']['output']>;
  readonly resource_type?: Maybe<Scalars['String']['output']>;
  readonly retry_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly run_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly source_name?: Maybe<Scalars['String']['output']>;
  readonly source_type?: Maybe<Scalars['String']['output']>;
  readonly stack?: Maybe<Scalars['JSONPayload']['output']>;
  readonly started_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
};

/** One page of jobs. */
export type BackgroundJobCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<BackgroundJob>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type BackgroundJobsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly failed_at?: InputMaybe<DateFilter>;
  readonly form_configuration_name?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly label?: InputMaybe<StringFilter>;
  readonly locked_at?: InputMaybe<DateFilter>;
  readonly or?: InputMaybe<ReadonlyArray<BackgroundJobsFilterInput>>;
  readonly queue?: InputMaybe<StringFilter>;
  readonly resource_id?: InputMaybe<UniqIdFilter>;
  readonly resource_type?: InputMaybe<StringFilter>;
  readonly run_at?: InputMaybe<DateFilter>;
  readonly source_name?: InputMaybe<StringFilter>;
  readonly source_type?: InputMaybe<StringFilter>;
  readonly timestamp?: InputMaybe<DateFilter>;
  readonly type?: InputMaybe<BackgroundJobsTypeEnum>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

/** The jobs that were deleted. */
export type BackgroundJobsResult = {
  readonly results: ReadonlyArray<BackgroundJob>;
};

export type BackgroundJobsSortInput = {
  readonly attempts?: InputMaybe<StandardSort>;
  readonly class_name?: InputMaybe<StandardSort>;
  readonly created_at?: InputMaybe<StandardSort>;
  readonly enqueued_at?: InputMaybe<StandardSort>;
  readonly failed_at?: InputMaybe<StandardSort>;
  readonly form_configuration_name?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly label?: InputMaybe<StandardSort>;
  readonly locked_at?: InputMaybe<StandardSort>;
  readonly queue?: InputMaybe<StandardSort>;
  readonly resource_id?: InputMaybe<StandardSort>;
  readonly resource_type?: InputMaybe<StandardSort>;
  readonly retry?: InputMaybe<StandardSort>;
  readonly run_at?: InputMaybe<StandardSort>;
  readonly source_name?: InputMaybe<StandardSort>;
  readonly source_type?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** The state of a job: waiting for its time, running, waiting for the next attempt after a failure, or dead after the last attempt. */
export type BackgroundJobsTypeEnum =
  | 'DEAD'
  | 'RETRY'
  | 'RUNNING'
  | 'SCHEDULED';

/** An error, described in a sentence. */
export type BaseError = {
  readonly message: Scalars['String']['output'];
};

export type BooleanFilter = {
  readonly is_null?: InputMaybe<Scalars['Boolean']['input']>;
  readonly not_value?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value?: InputMaybe<Scalars['Boolean']['input']>;
};

/** Ingot's own: a process with open WebSockets. */
export type ChannelProcess = {
  readonly connections: Scalars['Int']['output'];
  readonly id: Scalars['ID']['output'];
  /** The time at which the process has last written this. */
  readonly seen_at: Scalars['JSONDate']['output'];
};

/** One page of results. */
export type ChannelProcessCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ChannelProcess>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ChannelProcessesSortInput = {
  readonly connections?: InputMaybe<StandardSort>;
  readonly seen_at?: InputMaybe<StandardSort>;
};

/** Ingot's own: a room with subscribers, on all processes. */
export type ChannelRoom = {
  readonly channel: Scalars['String']['output'];
  readonly id: Scalars['ID']['output'];
  /** Number of processes with subscribers. */
  readonly processes: Scalars['Int']['output'];
  readonly room_id: Scalars['ID']['output'];
  readonly subscriptions: Scalars['Int']['output'];
};

/** One page of results. */
export type ChannelRoomCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ChannelRoom>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ChannelRoomsFilterInput = {
  readonly channel?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ChannelRoomsFilterInput>>;
  readonly room_id?: InputMaybe<UniqIdFilter>;
};

export type ChannelRoomsSortInput = {
  readonly channel?: InputMaybe<StandardSort>;
  readonly room_id?: InputMaybe<StandardSort>;
  readonly subscriptions?: InputMaybe<StandardSort>;
};

/** The media type of the file, or the beginning of it. */
export type Content = {
  readonly starts_with?: InputMaybe<Scalars['String']['input']>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
};

/** The minimum and maximum size of the file, in kilobytes. */
export type ContentLength = {
  readonly gte?: InputMaybe<Scalars['Int']['input']>;
  readonly lte: Scalars['Int']['input'];
};

/** A property to write, for users and in the old mutations. It has the same keys as PropertyInputType. */
export type CustomAttributeInputType = {
  readonly array_append?: InputMaybe<Scalars['String']['input']>;
  readonly array_remove?: InputMaybe<Scalars['String']['input']>;
  readonly decrement?: InputMaybe<Scalars['Float']['input']>;
  readonly increment?: InputMaybe<Scalars['Float']['input']>;
  readonly name: Scalars['String']['input'];
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_array?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly value_int?: InputMaybe<Scalars['Int']['input']>;
  readonly value_json?: InputMaybe<Scalars['JSONPayload']['input']>;
};

/** An image of a row, under the name of a property. */
export type CustomImage = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  /** @deprecated Field no longer supported */
  readonly file_url?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly property_id?: Maybe<Scalars['ID']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
  readonly uploader_id?: Maybe<Scalars['ID']['output']>;
  /** The URL of the image. When the requested version does not exist, it is the URL of the original. */
  readonly url?: Maybe<Scalars['String']['output']>;
};


/** An image of a row, under the name of a property. */
export type CustomImageurlArgs = {
  version?: InputMaybe<Scalars['String']['input']>;
};

/** The kind of row that a record belongs to, in the old mutations. */
export type CustomizableTypeEnum =
  | 'Customization'
  | 'Transactable'
  | 'User'
  | 'UserProfile';

/** An old name of a record. */
export type Customization = PropertiesInterface & {
  readonly created_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly customizable_id?: Maybe<Scalars['ID']['output']>;
  readonly customizable_type?: Maybe<Scalars['String']['output']>;
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  readonly name?: Maybe<Scalars['String']['output']>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
  readonly related_model?: Maybe<ListingsCustomization>;
  readonly related_models?: Maybe<ReadonlyArray<ListingsCustomization>>;
  readonly related_user?: Maybe<User>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly user_id?: Maybe<Scalars['ID']['output']>;
};


/** An old name of a record. */
export type CustomizationpropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** An old name of a record. */
export type CustomizationpropertyArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};


/** An old name of a record. */
export type Customizationrelated_modelArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
};


/** An old name of a record. */
export type Customizationrelated_modelsArgs = {
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  model_schema_name?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


/** An old name of a record. */
export type Customizationrelated_userArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
};

export type CustomizationImport = {
  readonly addresses?: InputMaybe<ReadonlyArray<AddressImport>>;
  readonly attachments?: InputMaybe<ReadonlyArray<AttachmentsImport>>;
  readonly created_at?: InputMaybe<Scalars['ISO8601DateTime']['input']>;
  readonly customizable_id?: InputMaybe<Scalars['ID']['input']>;
  readonly customizable_type?: InputMaybe<CustomizableTypeEnum>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly images?: InputMaybe<ReadonlyArray<ImagesImport>>;
  readonly properties?: InputMaybe<Scalars['HashObject']['input']>;
  /** name of the table */
  readonly type_name: Scalars['String']['input'];
  readonly updated_at?: InputMaybe<Scalars['ISO8601DateTime']['input']>;
  readonly user_id?: InputMaybe<Scalars['ID']['input']>;
};

/** A record to write, for the old mutations. */
export type CustomizationInputType = {
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly custom_model_type_id?: InputMaybe<Scalars['ID']['input']>;
  readonly custom_model_type_name?: InputMaybe<Scalars['String']['input']>;
  readonly customizable_id?: InputMaybe<Scalars['ID']['input']>;
  readonly customizable_type?: InputMaybe<CustomizableTypeEnum>;
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly model_schema_name?: InputMaybe<Scalars['String']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<CustomAttributeInputType>>>;
  readonly title?: InputMaybe<Scalars['String']['input']>;
  readonly user_id?: InputMaybe<Scalars['ID']['input']>;
};

/** A sort by a column, or by a property. */
export type CustomizationSortOrder = {
  readonly field?: InputMaybe<Scalars['String']['input']>;
  readonly order?: InputMaybe<Scalars['String']['input']>;
  readonly property?: InputMaybe<Scalars['String']['input']>;
};

/** Ingot's own: a change that a person made in the studio. Passwords and values of constants are left out. */
export type DataChange = {
  /** create, update, delete or restore */
  readonly action: Scalars['String']['output'];
  /** The email address of the user, or development. */
  readonly actor: Scalars['String']['output'];
  readonly actor_id?: Maybe<Scalars['ID']['output']>;
  /** The row after the change; null after a permanent deletion. */
  readonly after?: Maybe<Scalars['HashObject']['output']>;
  /** The row before the change; null for a new row. */
  readonly before?: Maybe<Scalars['HashObject']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  /** records, users, profiles, constants, translations, sessions or user_tokens */
  readonly kind: Scalars['String']['output'];
  readonly row_id: Scalars['ID']['output'];
  /** The site's table of a record. */
  readonly table_name?: Maybe<Scalars['String']['output']>;
};

/** One page of results. */
export type DataChangeCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<DataChange>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type DataChangesFilterInput = {
  readonly action?: InputMaybe<StringFilter>;
  readonly actor?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly kind?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<DataChangesFilterInput>>;
  readonly row_id?: InputMaybe<UniqIdFilter>;
  readonly table_name?: InputMaybe<StringFilter>;
};

export type DataChangesSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
};

/** An export. It has a URL when it is done. */
export type DataExport = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id?: Maybe<Scalars['ID']['output']>;
  readonly status?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
  readonly url?: Maybe<Scalars['String']['output']>;
};

/** One page of exports. */
export type DataExportCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<DataExport>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type DataExportRecordsInput = {
  readonly filter?: InputMaybe<RecordsFilterInput>;
  readonly per_page?: InputMaybe<Scalars['Int']['input']>;
  readonly sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
};

export type DataExportUsersInput = {
  readonly filter?: InputMaybe<UsersFilterInput>;
  readonly per_page?: InputMaybe<Scalars['Int']['input']>;
  readonly sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};

export type DataExportsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type DataExportsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

export type DateFilter = {
  readonly exists?: InputMaybe<Scalars['Boolean']['input']>;
  readonly gt?: InputMaybe<Scalars['String']['input']>;
  readonly gte?: InputMaybe<Scalars['String']['input']>;
  readonly lt?: InputMaybe<Scalars['String']['input']>;
  readonly lte?: InputMaybe<Scalars['String']['input']>;
  readonly not_value?: InputMaybe<Scalars['String']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type DateRange = {
  readonly gt?: InputMaybe<Scalars['String']['input']>;
  readonly gte?: InputMaybe<Scalars['String']['input']>;
  readonly lt?: InputMaybe<Scalars['String']['input']>;
  readonly lte?: InputMaybe<Scalars['String']['input']>;
};

/** The content of the default profile. */
export type DefaultProfileInputType = {
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<CustomAttributeInputType>>>;
};

/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Document = {
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type DocumentpropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type DocumentpropertyArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A document of a search index. The names of its properties may be paths, such as author.name. */
export type Documentproperty_objectArgs = {
  name: Scalars['String']['input'];
};

/** A mail of the site. Settings are shown as written, including their Liquid. */
export type EmailNotification = {
  readonly attachments?: Maybe<Scalars['String']['output']>;
  readonly bcc?: Maybe<Scalars['String']['output']>;
  readonly cc?: Maybe<Scalars['String']['output']>;
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly delay_by?: Maybe<Scalars['String']['output']>;
  readonly forms?: Maybe<ReadonlyArray<Form>>;
  readonly from?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly layout?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly layout_path?: Maybe<Scalars['String']['output']>;
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly reply_to?: Maybe<Scalars['String']['output']>;
  readonly subject?: Maybe<Scalars['String']['output']>;
  readonly to?: Maybe<Scalars['String']['output']>;
  readonly trigger_condition?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of mails. */
export type EmailNotificationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<EmailNotification>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type EmailNotificationInputType = {
  readonly attachments?: InputMaybe<Scalars['String']['input']>;
  readonly bcc?: InputMaybe<Scalars['String']['input']>;
  readonly cc?: InputMaybe<Scalars['String']['input']>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly from?: InputMaybe<Scalars['String']['input']>;
  readonly layout?: InputMaybe<Scalars['String']['input']>;
  readonly layout_path?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly reply_to?: InputMaybe<Scalars['String']['input']>;
  readonly subject: Scalars['String']['input'];
  readonly to?: InputMaybe<Scalars['String']['input']>;
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type EmailNotificationsFilterInput = {
  readonly attachments?: InputMaybe<StringFilter>;
  readonly bcc?: InputMaybe<StringFilter>;
  readonly cc?: InputMaybe<StringFilter>;
  readonly content?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly delay?: InputMaybe<StringFilter>;
  readonly delay_by?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly layout?: InputMaybe<StringFilter>;
  readonly layout_path?: InputMaybe<StringFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<EmailNotificationsFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly subject?: InputMaybe<StringFilter>;
  readonly to?: InputMaybe<StringFilter>;
  readonly trigger_condition?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type EmailNotificationsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A vector of 1536 numbers, with the content that it represents. */
export type Embedding = {
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly embedding: ReadonlyArray<Scalars['Float']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly token_count?: Maybe<Scalars['Int']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of vectors. */
export type EmbeddingCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Embedding>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type EmbeddingCreateInputType = {
  readonly content?: InputMaybe<Scalars['String']['input']>;
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly embedding: ReadonlyArray<Scalars['Float']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly token_count?: InputMaybe<Scalars['Int']['input']>;
  readonly updated_at?: InputMaybe<Scalars['JSONDate']['input']>;
};

export type EmbeddingUpdateInputType = {
  readonly content?: InputMaybe<Scalars['String']['input']>;
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly embedding?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly token_count?: InputMaybe<Scalars['Int']['input']>;
  readonly updated_at?: InputMaybe<Scalars['JSONDate']['input']>;
};

export type EmbeddingsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type EmbeddingsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly embedding?: InputMaybe<VectorDistanceSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A named secret. */
export type EncryptedConstant = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly name: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
  readonly value: Scalars['String']['output'];
};

/** One page of constants. */
export type EncryptedConstantCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<EncryptedConstant>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type EncryptedConstantFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type EncryptedConstantsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly name?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type EncryptedConstantsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly name?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A page of another site that answers with JSON. The token is sent in the header Authentication-Token. */
export type Endpoint = {
  readonly token?: InputMaybe<Scalars['String']['input']>;
  readonly url: Scalars['String']['input'];
};

/** A form of the site. Settings are shown as written, including their Liquid. */
export type Form = {
  readonly api_call_notifications?: Maybe<ReadonlyArray<ApiCallNotification>>;
  readonly async_callback_actions?: Maybe<Scalars['String']['output']>;
  readonly async_callback_delay?: Maybe<Scalars['String']['output']>;
  readonly async_callback_max_attempts?: Maybe<Scalars['Int']['output']>;
  readonly async_callback_priority?: Maybe<AsyncCallbackPriority>;
  readonly authorization_policies?: Maybe<ReadonlyArray<AuthorizationPolicy>>;
  readonly callback_actions?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly configuration?: Maybe<Scalars['HashObject']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly default_payload?: Maybe<Scalars['String']['output']>;
  readonly email_notifications?: Maybe<ReadonlyArray<EmailNotification>>;
  readonly fields?: Maybe<Scalars['HashObject']['output']>;
  readonly flash_alert?: Maybe<Scalars['String']['output']>;
  readonly flash_notice?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly liquid_body?: Maybe<Scalars['String']['output']>;
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly redirect_to?: Maybe<Scalars['String']['output']>;
  readonly resource: Scalars['String']['output'];
  readonly resource_owner: Scalars['String']['output'];
  readonly response_headers?: Maybe<Scalars['String']['output']>;
  readonly sms_notifications?: Maybe<ReadonlyArray<SmsNotification>>;
  readonly spam_protection?: Maybe<Scalars['HashObject']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of forms. */
export type FormCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Form>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type FormInput = {
  readonly async_callback_actions?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly async_callback_delay?: InputMaybe<Scalars['String']['input']>;
  readonly async_callback_max_attempts?: InputMaybe<Scalars['Int']['input']>;
  readonly async_callback_priority?: InputMaybe<AsyncCallbackPriority>;
  readonly authorization_policy_ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly callback_actions?: InputMaybe<Scalars['String']['input']>;
  readonly configuration?: InputMaybe<Scalars['HashObject']['input']>;
  readonly default_payload?: InputMaybe<Scalars['String']['input']>;
  readonly flash_alert?: InputMaybe<Scalars['String']['input']>;
  readonly flash_notice?: InputMaybe<Scalars['String']['input']>;
  readonly liquid_body?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
  readonly resource: Scalars['String']['input'];
  readonly resource_owner: Scalars['String']['input'];
  readonly response_headers?: InputMaybe<Scalars['String']['input']>;
  readonly spam_protection?: InputMaybe<SpamProtectionInput>;
};

/** The result of a submitted form. */
export type FormSubmitPayload = {
  readonly result?: Maybe<Result>;
  readonly validation_errors?: Maybe<Scalars['HashObject']['output']>;
};

export type FormsFilterInput = {
  readonly async_callback_actions?: InputMaybe<StringFilter>;
  readonly callback_actions?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly default_payload?: InputMaybe<StringFilter>;
  readonly flash_notice?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly liquid_body?: InputMaybe<StringFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<FormsFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly redirect_to?: InputMaybe<StringFilter>;
  readonly resource?: InputMaybe<StringFilter>;
  readonly resource_owner?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type FormsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

export type FullTextQueryField = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly priority?: InputMaybe<Scalars['Int']['input']>;
  readonly profile_field?: InputMaybe<Scalars['String']['input']>;
};

export type GeoPropertyFilterInput = {
  readonly center?: InputMaybe<Scalars['GeometryJSON']['input']>;
  readonly distance_in_km?: InputMaybe<Scalars['Float']['input']>;
  readonly sort?: InputMaybe<GeoSortOrderEnum>;
};

export type GeoRadiusPropertyFilterInput = {
  readonly point?: InputMaybe<Scalars['GeometryJSON']['input']>;
  readonly radius_in_km_from_property?: InputMaybe<Scalars['String']['input']>;
};

export type GeoSortOrderEnum =
  | 'ASC'
  | 'DESC'
  | 'NONE';

/** A stored query or mutation, with its text as body. */
export type GraphQL = {
  readonly body?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** A stored query or mutation. */
export type GraphQuery = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly query_string: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of stored queries. */
export type GraphQueryCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<GraphQuery>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type GraphqlFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<GraphqlFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly query_string?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type GraphqlInputType = {
  readonly body: Scalars['String']['input'];
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
};

export type GraphqlSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

export type IdRangeFilter = {
  readonly gt?: InputMaybe<Scalars['ID']['input']>;
  readonly gte?: InputMaybe<Scalars['ID']['input']>;
  readonly lt?: InputMaybe<Scalars['ID']['input']>;
  readonly lte?: InputMaybe<Scalars['ID']['input']>;
};

export type ImagesImport = {
  readonly direct_path?: InputMaybe<Scalars['String']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly name: Scalars['String']['input'];
  readonly url?: InputMaybe<Scalars['String']['input']>;
};

/** The ids of the imported rows, in the order of the rows. */
export type ImportCustomizationsMutationPayload = {
  readonly external_ids: ReadonlyArray<Scalars['ID']['output']>;
  readonly ids: ReadonlyArray<Scalars['ID']['output']>;
};

/** The ids of the imported rows, in the order of the rows. */
export type ImportUsersMutationPayload = {
  readonly external_ids: ReadonlyArray<Scalars['ID']['output']>;
  readonly ids: ReadonlyArray<Scalars['ID']['output']>;
};

/** One page of documents. */
export type IndexSearchCollection = {
  readonly aggregations: Aggregations;
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Document>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** Conditions on a property of documents. All given keys must match. */
export type IndexSearchFilterInput = {
  readonly exists?: InputMaybe<Scalars['Boolean']['input']>;
  readonly name: Scalars['String']['input'];
  readonly not_value?: InputMaybe<Scalars['String']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly prefix?: InputMaybe<Scalars['String']['input']>;
  readonly range?: InputMaybe<RangeFilter>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value_in_operator?: InputMaybe<OperatorEnum>;
};

/** A keyword, and the properties to search. By default, all texts are searched. */
export type IndexSearchQuery = {
  readonly analyzer?: InputMaybe<Scalars['String']['input']>;
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<FullTextQueryField>>>;
  readonly keyword?: InputMaybe<Scalars['String']['input']>;
  readonly match_type?: InputMaybe<QueryMatchTypeEnum>;
  readonly operator?: InputMaybe<OperatorEnum>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<FullTextQueryField>>>;
};

export type IndexSearchSortInput = {
  readonly name: Scalars['String']['input'];
  readonly order?: InputMaybe<Scalars['String']['input']>;
};

/** This installation. */
export type Instance = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly feature_flags: Scalars['HashObject']['output'];
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** The numbers of rows that are not deleted. */
export type InstanceMetrics = {
  readonly activities_total: Scalars['Int']['output'];
  readonly addresses_total: Scalars['Int']['output'];
  readonly attachments_total: Scalars['Int']['output'];
  readonly images_total: Scalars['Int']['output'];
  readonly records_total: Scalars['Int']['output'];
  readonly transactables_total: Scalars['Int']['output'];
  readonly user_profiles_total: Scalars['Int']['output'];
  readonly users_total: Scalars['Int']['output'];
};

export type IntegerFilter = {
  readonly not_value_in?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['Int']['input']>>>;
  readonly range?: InputMaybe<IntegerRangeFilter>;
  readonly value?: InputMaybe<Scalars['Int']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['Int']['input']>>>;
};

export type IntegerRangeFilter = {
  readonly gt?: InputMaybe<Scalars['Int']['input']>;
  readonly gte?: InputMaybe<Scalars['Int']['input']>;
  readonly lt?: InputMaybe<Scalars['Int']['input']>;
  readonly lte?: InputMaybe<Scalars['Int']['input']>;
};

/** How a related model is joined. */
export type JoinModelCollection = {
  readonly foreign_property: Scalars['PropertyName']['input'];
  readonly join_on_property?: InputMaybe<Scalars['PropertyName']['input']>;
  readonly property_type?: InputMaybe<Scalars['String']['input']>;
};

/** How a related row is joined. */
export type JoinRecordCollection = {
  readonly foreign_property: Scalars['PropertyName']['input'];
  readonly join_on_property?: InputMaybe<Scalars['PropertyName']['input']>;
  readonly property_type?: InputMaybe<Scalars['String']['input']>;
};

export type JsonbAttributeFilter = {
  readonly array_contains?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly array_overlaps?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly array_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  readonly exists?: InputMaybe<Scalars['Any']['input']>;
  readonly key: Scalars['String']['input'];
  readonly not_array_contains?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_array_overlaps?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_array_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_contains?: InputMaybe<Scalars['String']['input']>;
  readonly not_exists?: InputMaybe<Scalars['Any']['input']>;
  readonly not_value?: InputMaybe<Scalars['Any']['input']>;
  readonly not_value_array?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly not_value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_value_int?: InputMaybe<Scalars['Int']['input']>;
  readonly value?: InputMaybe<Scalars['Any']['input']>;
  readonly value_array?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value_int?: InputMaybe<Scalars['Int']['input']>;
};

export type JsonbFilter = {
  readonly attribute?: InputMaybe<JsonbAttributeFilter>;
  readonly attributes?: InputMaybe<ReadonlyArray<JsonbAttributeFilter>>;
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  readonly exclude?: InputMaybe<Scalars['Boolean']['input']>;
  readonly has_key?: InputMaybe<Scalars['String']['input']>;
};

export type JsonbSort = {
  readonly name: Scalars['String']['input'];
  readonly order: SortOrderEnum;
};

/** The algorithm that signs a token. Only algorithms with a secret of the server are supported: HS256, HS384 and HS512. */
export type JwtAlgorithm =
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'HS256'
  | 'HS384'
  | 'HS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'none';

/** A layout. */
export type LiquidLayout = {
  readonly body?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly format?: Maybe<PageFormat>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly path: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of layouts. */
export type LiquidLayoutCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<LiquidLayout>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type LiquidLayoutInputType = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** It must agree with the name of the file. */
  readonly format?: InputMaybe<PageFormat>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly path: Scalars['String']['input'];
  readonly physical_file_path: Scalars['String']['input'];
};

export type LiquidLayoutsFilterInput = {
  readonly body?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly or?: InputMaybe<ReadonlyArray<LiquidLayoutsFilterInput>>;
  readonly path?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type LiquidLayoutsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly path?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A partial, or a file of `lib`. */
export type LiquidPartial = {
  readonly body?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly format?: Maybe<PageFormat>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly path: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of partials. */
export type LiquidPartialCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<LiquidPartial>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type LiquidPartialInputType = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** It must agree with the name of the file. */
  readonly format?: InputMaybe<PageFormat>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly path: Scalars['String']['input'];
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
};

export type LiquidPartialsFilterInput = {
  readonly body?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly or?: InputMaybe<ReadonlyArray<LiquidPartialsFilterInput>>;
  readonly path?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type LiquidPartialsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly path?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

export type ListingAggregation = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<AggregationField>>>;
  readonly global?: InputMaybe<Scalars['Boolean']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
};

/** An image. */
export type ListingImage = {
  readonly file_name?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly filename?: Maybe<Scalars['String']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  readonly image_original_height?: Maybe<Scalars['Int']['output']>;
  readonly image_original_width?: Maybe<Scalars['Int']['output']>;
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly url?: Maybe<Scalars['String']['output']>;
};


/** An image. */
export type ListingImageurlArgs = {
  version?: InputMaybe<Scalars['String']['input']>;
};

/** A profile, as the old search returns it. */
export type ListingUserProfile = {
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly profile_type: Scalars['String']['output'];
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  readonly property?: Maybe<Scalars['String']['output']>;
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  readonly related_model?: Maybe<ListingsCustomization>;
  readonly related_models?: Maybe<ReadonlyArray<ListingsCustomization>>;
  readonly related_user?: Maybe<User>;
};


/** A profile, as the old search returns it. */
export type ListingUserProfilepropertyArgs = {
  name: Scalars['String']['input'];
};


/** A profile, as the old search returns it. */
export type ListingUserProfileproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A profile, as the old search returns it. */
export type ListingUserProfileproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A profile, as the old search returns it. */
export type ListingUserProfilerelated_modelArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
};


/** A profile, as the old search returns it. */
export type ListingUserProfilerelated_modelsArgs = {
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  model_schema_name?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


/** A profile, as the old search returns it. */
export type ListingUserProfilerelated_userArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
};

/** A record, as the old search returns it. */
export type ListingsCustomization = {
  readonly created_at?: Maybe<Scalars['JSONDate']['output']>;
  /** An image that a form has stored for the record. When the requested version does not exist, it is the original. */
  readonly custom_image?: Maybe<ListingImage>;
  readonly customizable_id?: Maybe<Scalars['ID']['output']>;
  readonly customizable_type?: Maybe<Scalars['String']['output']>;
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly name?: Maybe<Scalars['String']['output']>;
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  readonly property?: Maybe<Scalars['String']['output']>;
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  readonly related_model?: Maybe<ListingsCustomization>;
  readonly related_models?: Maybe<ReadonlyArray<ListingsCustomization>>;
  readonly related_user?: Maybe<User>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
  /** @deprecated Field no longer supported */
  readonly user?: Maybe<User>;
  readonly user_id?: Maybe<Scalars['ID']['output']>;
};


/** A record, as the old search returns it. */
export type ListingsCustomizationcustom_imageArgs = {
  name: Scalars['String']['input'];
};


/** A record, as the old search returns it. */
export type ListingsCustomizationpropertyArgs = {
  name: Scalars['String']['input'];
};


/** A record, as the old search returns it. */
export type ListingsCustomizationproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A record, as the old search returns it. */
export type ListingsCustomizationproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A record, as the old search returns it. */
export type ListingsCustomizationrelated_modelArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
};


/** A record, as the old search returns it. */
export type ListingsCustomizationrelated_modelsArgs = {
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  model_schema_name?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


/** A record, as the old search returns it. */
export type ListingsCustomizationrelated_userArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
};


/** A record, as the old search returns it. */
export type ListingsCustomizationuserArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
};

/** One page of the old search. */
export type ListingsCustomizationCollection = {
  readonly aggregations: Aggregations;
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  /** @deprecated Field no longer supported */
  readonly page: Scalars['Int']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ListingsCustomization>>;
  readonly size: Scalars['Int']['output'];
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** An entry of the log. */
export type LogEntry = {
  readonly id: Scalars['ID']['output'];
  readonly message: Scalars['String']['output'];
  readonly type: Scalars['String']['output'];
};

export type LogEntryType =
  | 'debug'
  | 'error'
  | 'info';

/** Ingot's own: an entry of the site's log. The data has the origin: page, request, user, job and template. */
export type LogRecord = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly data: Scalars['HashObject']['output'];
  readonly id: Scalars['ID']['output'];
  readonly message: Scalars['String']['output'];
  readonly type: Scalars['String']['output'];
};

/** One page of results. */
export type LogRecordCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<LogRecord>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type LogRecordsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly message?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<LogRecordsFilterInput>>;
  readonly type?: InputMaybe<StringFilter>;
};

export type LogRecordsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
};

/** Old name of a record. */
export type Model = PropertiesInterface & {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly customizable_id?: Maybe<Scalars['ID']['output']>;
  /** @deprecated Field no longer supported */
  readonly customizable_type?: Maybe<Scalars['String']['output']>;
  /** The time of the soft deletion; null for a row that is not deleted. */
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** @deprecated Field no longer supported */
  readonly model_schema_id: Scalars['ID']['output'];
  /** @deprecated Field no longer supported */
  readonly model_schema_name?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
  /**
   * Old name of related_record.
   * @deprecated Field no longer supported
   */
  readonly related_model?: Maybe<Model>;
  /**
   * Old name of related_records.
   * @deprecated Field no longer supported
   */
  readonly related_models?: Maybe<ReadonlyArray<Model>>;
  /** The user whose foreign_property equals the join_on_property of this row: of several, the last of the sort. */
  readonly related_user?: Maybe<User>;
  /** The users whose foreign_property equals the join_on_property of this row. */
  readonly related_users?: Maybe<ReadonlyArray<User>>;
  readonly table?: Maybe<Scalars['String']['output']>;
  readonly table_id: Scalars['ID']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly user?: Maybe<User>;
  readonly user_id?: Maybe<Scalars['ID']['output']>;
};


/** Old name of a record. */
export type ModelpropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** Old name of a record. */
export type ModelpropertyArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};


/** Old name of a record. */
export type Modelrelated_modelArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** Old name of a record. */
export type Modelrelated_modelsArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** Old name of a record. */
export type Modelrelated_userArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** Old name of a record. */
export type Modelrelated_usersArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** Old name of a record. */
export type ModeluserArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};

/** A page of results, with the counters of pages. */
export type ModelCollection = {
  /** The number of this page, starting at 1. */
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Model>>;
  /** The number of matches on all pages. */
  readonly total_entries: Scalars['Int']['output'];
  /** The number of pages with this per_page. */
  readonly total_pages: Scalars['Int']['output'];
};

/** The old name of a table. */
export type ModelSchema = {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly fields: ReadonlyArray<Property>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly parameterized_name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly properties: ReadonlyArray<Property>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of tables, by their old name. */
export type ModelSchemaCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ModelSchema>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ModelSchemaInputType = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

export type ModelSchemasFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ModelSchemasFilterInput>>;
  readonly parameterized_name?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type ModelSchemasSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly parameterized_name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** Conditions on models. All given keys must match. */
export type ModelsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly external_id?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly model_schema_id?: InputMaybe<UniqIdFilter>;
  readonly model_schema_name?: InputMaybe<StringFilter>;
  readonly models?: InputMaybe<ReadonlyArray<RelatedModelsFilterInput>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ModelsFilterInput>>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertyFilterInput>>;
  readonly related_models?: InputMaybe<ReadonlyArray<RelatedModelsFilterInput>>;
  readonly related_users?: InputMaybe<ReadonlyArray<RelatedUsersFilterInput>>;
  readonly updated_at?: InputMaybe<DateFilter>;
  readonly user_id?: InputMaybe<UniqIdFilter>;
  readonly users?: InputMaybe<ReadonlyArray<RelatedUsersFilterInput>>;
};

/** The sort keys of models. Give one key in each object. */
export type ModelsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly deleted_at?: InputMaybe<StandardSort>;
  readonly external_id?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly model_schema_id?: InputMaybe<StandardSort>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertySort>>;
  readonly random_sort?: InputMaybe<Scalars['Boolean']['input']>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

export type MutationAssetsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<JsonbFilter>;
  readonly name?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

/** A property of a table. An update finds it by its id, or by its name, and adds it when there is none. */
export type NestedPropertyInputType = {
  /** Any text except false removes the property. */
  readonly _destroy?: InputMaybe<Scalars['String']['input']>;
  readonly attribute_type?: InputMaybe<PropertyTypeEnum>;
  readonly belongs_to?: InputMaybe<Scalars['String']['input']>;
  readonly default_value?: InputMaybe<Scalars['String']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name: Scalars['String']['input'];
  readonly options?: InputMaybe<PropertyUploadOptionsInput>;
};

export type NewCustomImageInputType = {
  readonly custom_attribute_name: Scalars['String']['input'];
  /** address of the image, from which it is fetched */
  readonly direct_url?: InputMaybe<Scalars['String']['input']>;
  readonly owner_id: Scalars['ID']['input'];
  /** Customization (or Record), User or UserProfile */
  readonly owner_type: Scalars['String']['input'];
  readonly page_slug?: InputMaybe<Scalars['String']['input']>;
  readonly raw_remote_image_url?: InputMaybe<Scalars['String']['input']>;
  readonly uploader_id?: InputMaybe<Scalars['ID']['input']>;
};

/** A mail without a template. The content is HTML, and the delay is in minutes. */
export type NotificationEmailInput = {
  readonly bcc?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly cc?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly content: Scalars['String']['input'];
  readonly delay?: InputMaybe<Scalars['Int']['input']>;
  readonly from: Scalars['String']['input'];
  readonly reply_to?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly subject: Scalars['String']['input'];
  readonly to: ReadonlyArray<Scalars['String']['input']>;
};

/** Whether the mail was queued. */
export type NotificationSendEmailPayload = {
  /** @deprecated Field no longer supported */
  readonly errors: ReadonlyArray<BaseError>;
  readonly is_scheduled_to_send: Scalars['Boolean']['output'];
};

/** The template of the site to send. */
export type NotificationTemplateInput = {
  readonly name: Scalars['String']['input'];
};

export type NotificationTypeEnum =
  | 'API_CALL'
  | 'EMAIL'
  | 'SMS';

export type NotificationTypeFilter = {
  readonly not_value?: InputMaybe<NotificationTypeEnum>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<NotificationTypeEnum>>;
  readonly value?: InputMaybe<NotificationTypeEnum>;
  readonly value_in?: InputMaybe<ReadonlyArray<NotificationTypeEnum>>;
};

/** The number of rows that were changed. */
export type ObjectCount = {
  readonly count: Scalars['Int']['output'];
};

/** The files that were removed from a row. */
export type ObjectUpload = {
  readonly errors?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly job_id?: Maybe<Scalars['String']['output']>;
  readonly upload_object_id: Scalars['ID']['output'];
  readonly upload_object_type: Scalars['String']['output'];
  readonly uploads?: Maybe<Scalars['JSONPayload']['output']>;
};

export type ObjectsWithUploadsEnum =
  | 'Record'
  | 'User'
  | 'UserProfile';

export type OperatorEnum =
  | 'AND'
  | 'OR';

/** Time-based one-time passwords (RFC 6238). */
export type Otp = {
  readonly current_code: Scalars['String']['output'];
  readonly secret: Scalars['String']['output'];
  readonly secret_as_svg_qr_code: Scalars['String']['output'];
};


/** Time-based one-time passwords (RFC 6238). */
export type Otpsecret_as_svg_qr_codeArgs = {
  issuer?: InputMaybe<Scalars['String']['input']>;
  label?: InputMaybe<Scalars['String']['input']>;
};

/** A page of the site, as compiled. */
export type Page = {
  readonly authorization_policies?: Maybe<ReadonlyArray<AuthorizationPolicy>>;
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly content_updated_at: Scalars['JSONDate']['output'];
  readonly created_at: Scalars['JSONDate']['output'];
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly dynamic_cache_expire?: Maybe<Scalars['Int']['output']>;
  readonly dynamic_cache_key?: Maybe<Scalars['String']['output']>;
  readonly dynamic_cache_layout?: Maybe<Scalars['Boolean']['output']>;
  readonly format?: Maybe<PageFormat>;
  readonly handler?: Maybe<PageHandler>;
  readonly html_content?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly layout?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly layout_name?: Maybe<Scalars['String']['output']>;
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly max_deep_level?: Maybe<Scalars['Int']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly redirect_code?: Maybe<Scalars['Int']['output']>;
  readonly redirect_to?: Maybe<Scalars['String']['output']>;
  readonly request_method?: Maybe<PageRequestMethod>;
  readonly response_headers?: Maybe<Scalars['HashObject']['output']>;
  readonly searchable?: Maybe<Scalars['Boolean']['output']>;
  readonly slug: Scalars['String']['output'];
  readonly static_cache_expire?: Maybe<Scalars['Int']['output']>;
  readonly subdomain?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of pages. */
export type PageCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Page>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type PageFilterInput = {
  readonly authorization_policies?: InputMaybe<AuthorizationPoliciesFilter>;
  readonly content?: InputMaybe<StringFilter>;
  readonly content_updated_at?: InputMaybe<DateFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly format?: InputMaybe<PageFormatFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly layout?: InputMaybe<StringFilter>;
  readonly layout_name?: InputMaybe<StringFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly or?: InputMaybe<ReadonlyArray<PageFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly redirect_code?: InputMaybe<IntegerFilter>;
  readonly redirect_to?: InputMaybe<StringFilter>;
  readonly request_method?: InputMaybe<PagesRequestMethodFilter>;
  readonly searchable?: InputMaybe<BooleanFilter>;
  readonly slug?: InputMaybe<StringFilter>;
  readonly subdomain?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type PageFormat =
  | 'css'
  | 'csv'
  | 'html'
  | 'ics'
  | 'js'
  | 'json'
  | 'pdf'
  | 'rss'
  | 'svg'
  | 'text'
  | 'txt'
  | 'xml';

export type PageFormatFilter = {
  readonly not_value?: InputMaybe<PageFormat>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<PageFormat>>;
  readonly value?: InputMaybe<PageFormat>;
  readonly value_in?: InputMaybe<ReadonlyArray<PageFormat>>;
};

export type PageHandler =
  | 'liquid'
  | 'markdown';

export type PageInputType = {
  readonly authorization_policies?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly authorization_policy_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  readonly dynamic_cache_expire?: InputMaybe<Scalars['Int']['input']>;
  readonly dynamic_cache_key?: InputMaybe<Scalars['String']['input']>;
  readonly dynamic_cache_layout?: InputMaybe<Scalars['Boolean']['input']>;
  readonly format?: InputMaybe<PageFormat>;
  readonly handler?: InputMaybe<PageHandler>;
  readonly layout?: InputMaybe<Scalars['String']['input']>;
  readonly layout_name?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly max_deep_level?: InputMaybe<Scalars['Int']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly redirect_code?: InputMaybe<PageRedifectCode>;
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
  readonly request_method?: InputMaybe<PageRequestMethod>;
  readonly response_headers?: InputMaybe<Scalars['HashObject']['input']>;
  readonly searchable?: InputMaybe<Scalars['Boolean']['input']>;
  readonly slug?: InputMaybe<Scalars['String']['input']>;
  readonly static_cache_expire?: InputMaybe<Scalars['Int']['input']>;
  readonly subdomain?: InputMaybe<Scalars['String']['input']>;
};

/** The status of a redirect: 301 or 302. */
export type PageRedifectCode =
  | 'MOVED_PERMANENTLY'
  | 'MOVED_TEMPORARILY';

export type PageRequestMethod =
  | 'delete'
  | 'get'
  | 'options'
  | 'patch'
  | 'post'
  | 'put';

export type PagesRequestMethodFilter = {
  readonly not_value?: InputMaybe<PageRequestMethod>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<PageRequestMethod>>;
  readonly value?: InputMaybe<PageRequestMethod>;
  readonly value_in?: InputMaybe<ReadonlyArray<PageRequestMethod>>;
};

export type PagesSortInput = {
  readonly content_updated_at?: InputMaybe<StandardSort>;
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly redirect_code?: InputMaybe<StandardSort>;
  readonly redirect_to?: InputMaybe<StandardSort>;
  readonly slug?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** Conditions on the file that will be uploaded. */
export type PresignUrl = {
  readonly acl?: InputMaybe<ACL>;
  readonly content_length?: InputMaybe<ContentLength>;
  readonly content_type?: InputMaybe<Content>;
};

/** The addresses of an asset that is uploaded. */
export type PresignedUrl = {
  /** The address of the asset, once admin_assets_create has made it part of the site. */
  readonly access_url: Scalars['String']['output'];
  readonly path: Scalars['String']['output'];
  /** Takes the bytes of the asset by PUT, for an hour. */
  readonly upload_url: Scalars['String']['output'];
};

/** A finding of `ingot check`: an error, a warning or a remark. */
export type Problem = {
  readonly code: Scalars['String']['output'];
  readonly column?: Maybe<Scalars['Int']['output']>;
  readonly file?: Maybe<Scalars['String']['output']>;
  readonly fix_id?: Maybe<Scalars['ID']['output']>;
  readonly fix_title?: Maybe<Scalars['String']['output']>;
  readonly hint?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly line?: Maybe<Scalars['Int']['output']>;
  readonly message: Scalars['String']['output'];
  readonly severity: Scalars['String']['output'];
};

/** One page of findings. `checked` is false before the first check. */
export type ProblemCollection = {
  readonly checked: Scalars['Boolean']['output'];
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Problem>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ProblemsFilterInput = {
  readonly code?: InputMaybe<StringFilter>;
  readonly file?: InputMaybe<StringFilter>;
  readonly message?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ProblemsFilterInput>>;
  readonly severity?: InputMaybe<StringFilter>;
};

/** A profile of a user, in the old queries. */
export type Profile = PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface & {
  /** The records that belong to the profile: their customizable_type is UserProfile. name is that of their table. */
  readonly customizations?: Maybe<ReadonlyArray<Customization>>;
  /** The time of the soft deletion; null for a row that is not deleted. */
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  readonly profile_type: Scalars['String']['output'];
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
  /**
   * Old name of related_record.
   * @deprecated Field no longer supported
   */
  readonly related_model?: Maybe<Model>;
  /**
   * Old name of related_records.
   * @deprecated Field no longer supported
   */
  readonly related_models?: Maybe<ReadonlyArray<Model>>;
  /** The row of another table whose foreign_property equals the join_on_property of this row: of several, the last of the sort, or without a sort the one with the lowest id. */
  readonly related_record?: Maybe<Record>;
  /** The rows of another table whose foreign_property equals the join_on_property of this row. An array matches with any of its elements. */
  readonly related_records?: Maybe<ReadonlyArray<Record>>;
  /** The user whose foreign_property equals the join_on_property of this row: of several, the last of the sort. */
  readonly related_user?: Maybe<User>;
  /** The users whose foreign_property equals the join_on_property of this row. */
  readonly related_users?: Maybe<ReadonlyArray<User>>;
  /** The records of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_records?: Maybe<ReadonlyArray<Record>>;
  /** The users of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_users?: Maybe<ReadonlyArray<User>>;
};


/** A profile of a user, in the old queries. */
export type ProfilecustomizationsArgs = {
  customizable_id?: InputMaybe<Scalars['ID']['input']>;
  customizable_type?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  name?: InputMaybe<Scalars['String']['input']>;
  properties?: InputMaybe<ReadonlyArray<InputMaybe<QueryCustomAttribute>>>;
  sort?: InputMaybe<ReadonlyArray<InputMaybe<CustomizationSortOrder>>>;
  user_id?: InputMaybe<Scalars['ID']['input']>;
};


/** A profile of a user, in the old queries. */
export type ProfilepropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** A profile of a user, in the old queries. */
export type ProfilepropertyArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profilerelated_modelArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** A profile of a user, in the old queries. */
export type Profilerelated_modelsArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** A profile of a user, in the old queries. */
export type Profilerelated_recordArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** A profile of a user, in the old queries. */
export type Profilerelated_recordsArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** A profile of a user, in the old queries. */
export type Profilerelated_userArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** A profile of a user, in the old queries. */
export type Profilerelated_usersArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** A profile of a user, in the old queries. */
export type Profileremote_recordsArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};


/** A profile of a user, in the old queries. */
export type Profileremote_usersArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};

/** Conditions on a profile. All given keys must match. */
export type ProfileFilterInput = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly name_filter?: InputMaybe<StringFilter>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertyFilterInput>>;
};

/** A property to select, and the type to convert it to. */
export type PropertiesFieldInput = {
  readonly attribute_type: SelectPropertyTypeEnum;
  readonly name: Scalars['String']['input'];
};

/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterface = {
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfacepropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfacepropertyArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** Access to the properties of a row. Each field converts a property to its own type. */
export type PropertiesInterfaceproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};

/** A declared property. */
export type Property = {
  readonly attribute_type: PropertyTypeEnum;
  readonly belongs_to?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly default_value?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly options?: Maybe<Scalars['HashObject']['output']>;
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly target_id: Scalars['ID']['output'];
  readonly target_type: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

export type PropertyFilterInput = {
  readonly allow_empty?: InputMaybe<Scalars['Boolean']['input']>;
  readonly array_contains?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly array_overlaps?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly case_sensitive?: InputMaybe<Scalars['Boolean']['input']>;
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  readonly distance_sphere?: InputMaybe<GeoPropertyFilterInput>;
  readonly ends_with?: InputMaybe<Scalars['String']['input']>;
  readonly exists?: InputMaybe<Scalars['Boolean']['input']>;
  readonly name: Scalars['String']['input'];
  readonly not_array_contains?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_array_overlaps?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_contains?: InputMaybe<Scalars['String']['input']>;
  readonly not_ends_with?: InputMaybe<Scalars['String']['input']>;
  readonly not_starts_with?: InputMaybe<Scalars['String']['input']>;
  readonly not_value?: InputMaybe<Scalars['String']['input']>;
  readonly not_value_array?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly not_value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly not_value_int?: InputMaybe<Scalars['Int']['input']>;
  readonly not_within_radius?: InputMaybe<GeoRadiusPropertyFilterInput>;
  readonly property_type?: InputMaybe<Scalars['String']['input']>;
  readonly range?: InputMaybe<RangeFilter>;
  readonly starts_with?: InputMaybe<Scalars['String']['input']>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_array?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly value_int?: InputMaybe<Scalars['Int']['input']>;
  readonly within_radius?: InputMaybe<GeoRadiusPropertyFilterInput>;
};

/** A property to write. The first key with a value is used. array_append, array_remove, increment and decrement are atomic. */
export type PropertyInputType = {
  readonly array_append?: InputMaybe<Scalars['String']['input']>;
  readonly array_remove?: InputMaybe<Scalars['String']['input']>;
  readonly decrement?: InputMaybe<Scalars['Float']['input']>;
  readonly increment?: InputMaybe<Scalars['Float']['input']>;
  readonly name: Scalars['String']['input'];
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_array?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly value_boolean?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value_float?: InputMaybe<Scalars['Float']['input']>;
  readonly value_int?: InputMaybe<Scalars['Int']['input']>;
  readonly value_json?: InputMaybe<Scalars['JSONPayload']['input']>;
  readonly value_upload?: InputMaybe<ValueUploadInput>;
};

export type PropertySort = {
  readonly name: Scalars['String']['input'];
  readonly order: SortOrderEnum;
};

/** What a property belongs to. A ModelSchema is a table. */
export type PropertyTargetType =
  | 'ModelSchema'
  | 'User'
  | 'UserProfileSchema';

export type PropertyTypeEnum =
  | 'address'
  | 'array'
  | 'binary'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'decimal'
  | 'file'
  | 'float'
  | 'geojson'
  | 'integer'
  | 'photo'
  | 'string'
  | 'text'
  | 'time'
  | 'upload';

/** Uploaded file. */
export type PropertyUpload = {
  readonly extension?: Maybe<Scalars['String']['output']>;
  readonly file_name?: Maybe<Scalars['String']['output']>;
  readonly url?: Maybe<Scalars['String']['output']>;
  readonly versions?: Maybe<Scalars['HashObject']['output']>;
};


/** Uploaded file. */
export type PropertyUploadversionsArgs = {
  names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type PropertyUploadACL =
  | 'private'
  | 'public';

export type PropertyUploadContentDisposition =
  | 'attachment'
  | 'inline';

/** The allowed size of a file in kilobytes. */
export type PropertyUploadContentLengthInput = {
  readonly gte?: InputMaybe<Scalars['Int']['input']>;
  readonly lte: Scalars['Int']['input'];
};

export type PropertyUploadEncryptionGPGInput = {
  readonly armor?: InputMaybe<Scalars['Boolean']['input']>;
  readonly key: Scalars['GPGKey']['input'];
};

export type PropertyUploadEncryptionInput = {
  readonly gpg?: InputMaybe<PropertyUploadEncryptionGPGInput>;
};

export type PropertyUploadFit =
  | 'contain'
  | 'cover'
  | 'fill'
  | 'inside'
  | 'outside';

export type PropertyUploadFormat =
  | 'avif'
  | 'jpeg'
  | 'png'
  | 'webp';

export type PropertyUploadManipulateInput = {
  readonly blur?: InputMaybe<Scalars['ImageBlur']['input']>;
  readonly flatten?: InputMaybe<Scalars['CssColor']['input']>;
  readonly greyscale?: InputMaybe<Scalars['Boolean']['input']>;
};

export type PropertyUploadOptionsInput = {
  readonly acl?: InputMaybe<PropertyUploadACL>;
  readonly cache_control?: InputMaybe<Scalars['String']['input']>;
  readonly content_disposition?: InputMaybe<PropertyUploadContentDisposition>;
  readonly content_length?: InputMaybe<PropertyUploadContentLengthInput>;
  readonly versions?: InputMaybe<ReadonlyArray<PropertyUploadVersionInput>>;
};

export type PropertyUploadOutputInput = {
  readonly format?: InputMaybe<PropertyUploadFormat>;
  readonly quality?: InputMaybe<Scalars['ImageQuality']['input']>;
};

export type PropertyUploadPosition =
  | 'bottom'
  | 'center'
  | 'left'
  | 'left_bottom'
  | 'left_top'
  | 'right'
  | 'right_bottom'
  | 'right_top'
  | 'top';

/** The URL that the form of a direct upload is sent to, and its fields. */
export type PropertyUploadPresignedUrl = {
  readonly upload_url?: Maybe<Scalars['String']['output']>;
  readonly upload_url_payload?: Maybe<Scalars['HashObject']['output']>;
};

export type PropertyUploadResizeInput = {
  readonly background?: InputMaybe<Scalars['CssColor']['input']>;
  readonly fit?: InputMaybe<PropertyUploadFit>;
  readonly height?: InputMaybe<Scalars['Int']['input']>;
  readonly position?: InputMaybe<PropertyUploadPosition>;
  readonly width?: InputMaybe<Scalars['Int']['input']>;
  readonly without_enlargement?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A version of uploaded images. */
export type PropertyUploadVersionInput = {
  readonly manipulate?: InputMaybe<PropertyUploadManipulateInput>;
  readonly name: Scalars['String']['input'];
  readonly output?: InputMaybe<PropertyUploadOutputInput>;
  readonly resize?: InputMaybe<PropertyUploadResizeInput>;
};

export type Query = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<FullTextQueryField>>>;
  readonly keyword?: InputMaybe<Scalars['String']['input']>;
  readonly match_type?: InputMaybe<QueryMatchTypeEnum>;
  readonly operator?: InputMaybe<OperatorEnum>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<FullTextQueryField>>>;
  readonly raw?: InputMaybe<Scalars['Boolean']['input']>;
};

export type QueryAssetsFilterInput = {
  readonly content_type?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly file_size?: InputMaybe<RangeFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly manually_managed?: InputMaybe<BooleanFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<QueryAssetsFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
  readonly virtual_deleted_at?: InputMaybe<DateFilter>;
};

export type QueryCustomAttribute = {
  readonly exclude?: InputMaybe<Scalars['Boolean']['input']>;
  readonly exists?: InputMaybe<Scalars['Boolean']['input']>;
  readonly name: Scalars['String']['input'];
  readonly range?: InputMaybe<Range>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly values?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly values_operator?: InputMaybe<OperatorEnum>;
};

export type QueryCustomModelType = {
  readonly id?: InputMaybe<Scalars['Int']['input']>;
  readonly ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['Int']['input']>>>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly names?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};

export type QueryMatchTypeEnum =
  | 'CONTAINS'
  | 'ENDS_WITH'
  | 'EXACT'
  | 'FUZZY'
  | 'STARTS_WITH';

export type QueryModelSchema = {
  readonly id?: InputMaybe<Scalars['Int']['input']>;
  readonly ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['Int']['input']>>>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly names?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};

export type QueryOptionsInput = {
  readonly read_replica?: InputMaybe<Scalars['Boolean']['input']>;
  readonly timeout?: InputMaybe<Scalars['Int']['input']>;
};

export type QueryUser = {
  readonly created_at?: InputMaybe<DateRange>;
  readonly email?: InputMaybe<Scalars['String']['input']>;
  readonly emails?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly first_name?: InputMaybe<Scalars['String']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly is_deleted?: InputMaybe<Scalars['Boolean']['input']>;
  readonly last_name?: InputMaybe<Scalars['String']['input']>;
  readonly middle_name?: InputMaybe<Scalars['String']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly slug?: InputMaybe<Scalars['String']['input']>;
  readonly without_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
};

export type Range = {
  readonly gt?: InputMaybe<Scalars['String']['input']>;
  readonly gte?: InputMaybe<Scalars['String']['input']>;
  readonly lt?: InputMaybe<Scalars['String']['input']>;
  readonly lte?: InputMaybe<Scalars['String']['input']>;
};

export type RangeFilter = {
  readonly gt?: InputMaybe<Scalars['String']['input']>;
  readonly gte?: InputMaybe<Scalars['String']['input']>;
  readonly lt?: InputMaybe<Scalars['String']['input']>;
  readonly lte?: InputMaybe<Scalars['String']['input']>;
};

/** A row of an application table. */
export type Record = PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface & {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly customizable_id?: Maybe<Scalars['ID']['output']>;
  /** @deprecated Field no longer supported */
  readonly customizable_type?: Maybe<Scalars['String']['output']>;
  /** The time of the soft deletion; null for a row that is not deleted. */
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** @deprecated Field no longer supported */
  readonly model_schema_id: Scalars['ID']['output'];
  /** @deprecated Field no longer supported */
  readonly model_schema_name?: Maybe<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
  /**
   * Old name of related_record.
   * @deprecated Field no longer supported
   */
  readonly related_model?: Maybe<Model>;
  /**
   * Old name of related_records.
   * @deprecated Field no longer supported
   */
  readonly related_models?: Maybe<ReadonlyArray<Model>>;
  /** The row of another table whose foreign_property equals the join_on_property of this row: of several, the last of the sort, or without a sort the one with the lowest id. */
  readonly related_record?: Maybe<Record>;
  /** The rows of another table whose foreign_property equals the join_on_property of this row. An array matches with any of its elements. */
  readonly related_records?: Maybe<ReadonlyArray<Record>>;
  /** The user whose foreign_property equals the join_on_property of this row: of several, the last of the sort. */
  readonly related_user?: Maybe<User>;
  /** The users whose foreign_property equals the join_on_property of this row. */
  readonly related_users?: Maybe<ReadonlyArray<User>>;
  /** The records of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_records?: Maybe<ReadonlyArray<Record>>;
  /** The users of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_users?: Maybe<ReadonlyArray<User>>;
  /** The name of the record's table. */
  readonly table?: Maybe<Scalars['String']['output']>;
  readonly table_id: Scalars['ID']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly user?: Maybe<User>;
  /** The id of the user who owns the record, as set when it was written. */
  readonly user_id?: Maybe<Scalars['ID']['output']>;
};


/** A row of an application table. */
export type RecordpropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** A row of an application table. */
export type RecordpropertyArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordrelated_modelArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** A row of an application table. */
export type Recordrelated_modelsArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** A row of an application table. */
export type Recordrelated_recordArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** A row of an application table. */
export type Recordrelated_recordsArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** A row of an application table. */
export type Recordrelated_userArgs = {
  filter?: InputMaybe<UsersFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** A row of an application table. */
export type Recordrelated_usersArgs = {
  filter?: InputMaybe<UsersFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** A row of an application table. */
export type Recordremote_recordsArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};


/** A row of an application table. */
export type Recordremote_usersArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};


/** A row of an application table. */
export type RecorduserArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};

/** A page of results, with the counters of pages. */
export type RecordCollection = {
  /** The number of this page, starting at 1. */
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Record>>;
  /** The number of matches on all pages. */
  readonly total_entries: Scalars['Int']['output'];
  /** The number of pages with this per_page. */
  readonly total_pages: Scalars['Int']['output'];
};

/** The ids of a created record. */
export type RecordCreate = {
  readonly id: Scalars['ID']['output'];
  readonly table: Scalars['String']['output'];
};

/** A record to write. */
export type RecordInputType = {
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<PropertyInputType>>>;
  /** New records that belong to this record. */
  readonly records?: InputMaybe<ReadonlyArray<InputMaybe<RecordsInputType>>>;
  readonly table?: InputMaybe<Scalars['String']['input']>;
  readonly updated_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly user_id?: InputMaybe<Scalars['ID']['input']>;
};

/** A request or a job that a server in development has recorded. Secrets are masked. */
export type RecordedRequest = {
  readonly at: Scalars['JSONDate']['output'];
  readonly bytes?: Maybe<Scalars['Int']['output']>;
  readonly cache?: Maybe<Scalars['JSONPayload']['output']>;
  readonly database_milliseconds: Scalars['Float']['output'];
  readonly error?: Maybe<Scalars['String']['output']>;
  readonly failed: Scalars['Boolean']['output'];
  readonly files?: Maybe<Scalars['JSONPayload']['output']>;
  readonly findings?: Maybe<Scalars['JSONPayload']['output']>;
  readonly format?: Maybe<Scalars['String']['output']>;
  readonly headers?: Maybe<Scalars['JSONPayload']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly job?: Maybe<Scalars['JSONPayload']['output']>;
  readonly jobs?: Maybe<Scalars['JSONPayload']['output']>;
  readonly kind: Scalars['String']['output'];
  readonly logs?: Maybe<Scalars['JSONPayload']['output']>;
  readonly messages?: Maybe<Scalars['JSONPayload']['output']>;
  readonly messages_not_sent: Scalars['Int']['output'];
  readonly method?: Maybe<Scalars['String']['output']>;
  readonly milliseconds: Scalars['Float']['output'];
  readonly outgoing?: Maybe<Scalars['JSONPayload']['output']>;
  readonly params?: Maybe<Scalars['JSONPayload']['output']>;
  readonly path?: Maybe<Scalars['String']['output']>;
  readonly queries?: Maybe<Scalars['JSONPayload']['output']>;
  readonly query_groups?: Maybe<Scalars['JSONPayload']['output']>;
  readonly redirect_to?: Maybe<Scalars['String']['output']>;
  readonly redirects?: Maybe<Scalars['JSONPayload']['output']>;
  readonly session?: Maybe<Scalars['JSONPayload']['output']>;
  readonly statements: Scalars['Int']['output'];
  readonly status?: Maybe<Scalars['Int']['output']>;
  readonly template?: Maybe<Scalars['String']['output']>;
  readonly templates?: Maybe<Scalars['JSONPayload']['output']>;
  readonly update: Scalars['Boolean']['output'];
  readonly user?: Maybe<Scalars['JSONPayload']['output']>;
};

/** One page of recorded requests. */
export type RecordedRequestCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<RecordedRequest>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type RecordedRequestsFilterInput = {
  readonly at?: InputMaybe<DateFilter>;
  readonly database_milliseconds?: InputMaybe<RangeFilter>;
  readonly failed?: InputMaybe<BooleanFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly job_id?: InputMaybe<StringFilter>;
  readonly kind?: InputMaybe<StringFilter>;
  readonly messages_not_sent?: InputMaybe<IntegerFilter>;
  readonly method?: InputMaybe<StringFilter>;
  readonly milliseconds?: InputMaybe<RangeFilter>;
  readonly or?: InputMaybe<ReadonlyArray<RecordedRequestsFilterInput>>;
  readonly path?: InputMaybe<StringFilter>;
  readonly queued?: InputMaybe<StringFilter>;
  readonly statements?: InputMaybe<IntegerFilter>;
  readonly status?: InputMaybe<IntegerFilter>;
  readonly template?: InputMaybe<StringFilter>;
  readonly update?: InputMaybe<BooleanFilter>;
};

export type RecordedRequestsSortInput = {
  readonly at?: InputMaybe<StandardSort>;
  readonly bytes?: InputMaybe<StandardSort>;
  readonly database_milliseconds?: InputMaybe<StandardSort>;
  readonly milliseconds?: InputMaybe<StandardSort>;
  readonly statements?: InputMaybe<StandardSort>;
};

/** A record to write, with its properties as an object. */
export type RecordsCreateInputType = {
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly properties?: InputMaybe<Scalars['PropertiesObject']['input']>;
  readonly table?: InputMaybe<Scalars['String']['input']>;
  readonly updated_at?: InputMaybe<Scalars['JSONDate']['input']>;
};

/** All given keys are joined with AND. */
export type RecordsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly external_id?: InputMaybe<StringFilter>;
  readonly fulltext?: InputMaybe<Query>;
  readonly id?: InputMaybe<UniqIdFilter>;
  /** at least one of these must hold */
  readonly or?: InputMaybe<ReadonlyArray<RecordsFilterInput>>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertyFilterInput>>;
  /** rows joined through properties must match */
  readonly related_records?: InputMaybe<ReadonlyArray<RelatedRecordsFilterInput>>;
  readonly related_users?: InputMaybe<ReadonlyArray<RelatedUsersFilterInput>>;
  /** name of the table, with the module prefix for module tables */
  readonly table?: InputMaybe<StringFilter>;
  readonly table_id?: InputMaybe<UniqIdFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
  readonly user_id?: InputMaybe<UniqIdFilter>;
};

/** A new record that belongs to another record. */
export type RecordsInputType = {
  readonly table?: InputMaybe<Scalars['String']['input']>;
  readonly values?: InputMaybe<RecordInputType>;
};

/** The sort keys of records. Give one key in each object. */
export type RecordsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly deleted_at?: InputMaybe<StandardSort>;
  readonly external_id?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertySort>>;
  readonly random_sort?: InputMaybe<Scalars['Boolean']['input']>;
  readonly table_id?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** Conditions on related models. All given keys must match. */
export type RelatedModelsFilterInput = {
  readonly filter?: InputMaybe<ModelsFilterInput>;
  readonly join?: InputMaybe<JoinModelCollection>;
};

/** Condition on rows of another table. */
export type RelatedRecordsFilterInput = {
  readonly filter?: InputMaybe<RecordsFilterInput>;
  readonly join: JoinRecordCollection;
};

/** Conditions on related users. All given keys must match. */
export type RelatedUsersFilterInput = {
  readonly filter?: InputMaybe<UsersFilterInput>;
  readonly join?: InputMaybe<JoinModelCollection>;
};

/** Types with records of other sites. */
export type RemoteRecordsInterface = {
  /** The records of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_records?: Maybe<ReadonlyArray<Record>>;
};


/** Types with records of other sites. */
export type RemoteRecordsInterfaceremote_recordsArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};

/** Types with users of other sites. */
export type RemoteUsersInterface = {
  /** The users of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_users?: Maybe<ReadonlyArray<User>>;
};


/** Types with users of other sites. */
export type RemoteUsersInterfaceremote_usersArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};

/** A response of any status. */
export type Response = {
  readonly body?: Maybe<Scalars['String']['output']>;
  readonly headers?: Maybe<Scalars['HashObject']['output']>;
  readonly status: Scalars['Int']['output'];
};

export type Result = {
  readonly changes?: Maybe<Scalars['HashObject']['output']>;
  readonly user?: Maybe<User>;
};

export type RootMutation = {
  readonly activity_create?: Maybe<ActivityStreamsActivity>;
  readonly activity_delete_all?: Maybe<ReadonlyArray<Maybe<Scalars['ID']['output']>>>;
  readonly activity_publish?: Maybe<Scalars['JSONDate']['output']>;
  readonly activity_unpublish?: Maybe<ReadonlyArray<Maybe<Scalars['ID']['output']>>>;
  readonly activity_unpublish_all?: Maybe<ReadonlyArray<Maybe<Scalars['ID']['output']>>>;
  readonly admin_api_call_notification_create?: Maybe<ApiCallNotification>;
  readonly admin_api_call_notification_delete?: Maybe<ApiCallNotification>;
  readonly admin_api_call_notification_update?: Maybe<ApiCallNotification>;
  readonly admin_asset_delete?: Maybe<Asset>;
  readonly admin_asset_delete_all?: Maybe<Scalars['String']['output']>;
  readonly admin_asset_update?: Maybe<Asset>;
  readonly admin_asset_update_all?: Maybe<ObjectCount>;
  readonly admin_assets_create?: Maybe<AssetsCreateMutationPayload>;
  readonly admin_assets_listing_create: AssetsListingIdentifier;
  readonly admin_assets_presign_urls?: Maybe<AssetsPresignUrlsMutationPayload>;
  readonly admin_authorization_policy_create?: Maybe<AuthorizationPolicy>;
  readonly admin_authorization_policy_delete?: Maybe<AuthorizationPolicy>;
  readonly admin_authorization_policy_update?: Maybe<AuthorizationPolicy>;
  readonly admin_background_job_delete?: Maybe<BackgroundJob>;
  readonly admin_background_job_retry?: Maybe<BackgroundJob>;
  readonly admin_background_jobs_delete_all?: Maybe<BackgroundJobsResult>;
  readonly admin_email_notification_create?: Maybe<EmailNotification>;
  readonly admin_email_notification_delete?: Maybe<EmailNotification>;
  readonly admin_email_notification_delete_all?: Maybe<ObjectCount>;
  readonly admin_email_notification_update?: Maybe<EmailNotification>;
  readonly admin_email_notification_update_all?: Maybe<ObjectCount>;
  /** @deprecated Field no longer supported */
  readonly admin_field_create?: Maybe<Property>;
  /** @deprecated Field no longer supported */
  readonly admin_field_delete?: Maybe<Property>;
  /** @deprecated Field no longer supported */
  readonly admin_field_update?: Maybe<Property>;
  /** @deprecated Field no longer supported */
  readonly admin_form_create?: Maybe<Form>;
  /** @deprecated Field no longer supported */
  readonly admin_form_delete?: Maybe<Form>;
  /** @deprecated Field no longer supported */
  readonly admin_form_delete_all?: Maybe<ObjectCount>;
  /** @deprecated Field no longer supported */
  readonly admin_form_update?: Maybe<Form>;
  /** @deprecated Field no longer supported */
  readonly admin_form_update_all?: Maybe<ObjectCount>;
  readonly admin_graphql_create?: Maybe<GraphQL>;
  readonly admin_graphql_delete?: Maybe<GraphQL>;
  readonly admin_graphql_update?: Maybe<GraphQL>;
  readonly admin_liquid_layout_create?: Maybe<LiquidLayout>;
  readonly admin_liquid_layout_delete?: Maybe<LiquidLayout>;
  readonly admin_liquid_layout_delete_all?: Maybe<ObjectCount>;
  readonly admin_liquid_layout_update?: Maybe<LiquidLayout>;
  readonly admin_liquid_layout_update_all?: Maybe<ObjectCount>;
  readonly admin_liquid_partial_create?: Maybe<LiquidPartial>;
  readonly admin_liquid_partial_delete?: Maybe<LiquidPartial>;
  readonly admin_liquid_partial_delete_all?: Maybe<ObjectCount>;
  readonly admin_liquid_partial_update?: Maybe<LiquidPartial>;
  readonly admin_liquid_partial_update_all?: Maybe<ObjectCount>;
  readonly admin_model_schema_create?: Maybe<ModelSchema>;
  readonly admin_model_schema_delete?: Maybe<ModelSchema>;
  readonly admin_model_schema_update?: Maybe<ModelSchema>;
  readonly admin_page_create?: Maybe<Page>;
  readonly admin_page_delete?: Maybe<Page>;
  readonly admin_page_update?: Maybe<Page>;
  readonly admin_page_update_all: ObjectCount;
  readonly admin_pages_delete_all: ObjectCount;
  readonly admin_property_create?: Maybe<Property>;
  readonly admin_property_delete?: Maybe<Property>;
  readonly admin_property_update?: Maybe<Property>;
  readonly admin_sms_notification_create?: Maybe<SmsNotification>;
  readonly admin_sms_notification_delete?: Maybe<SmsNotification>;
  readonly admin_sms_notification_update?: Maybe<SmsNotification>;
  readonly admin_table_create?: Maybe<Table>;
  readonly admin_table_delete?: Maybe<Table>;
  readonly admin_table_update?: Maybe<Table>;
  readonly admin_translation_set?: Maybe<Translation>;
  readonly admin_translation_set_json?: Maybe<TranslationJson>;
  readonly admin_translation_unset?: Maybe<Translation>;
  /** @deprecated Field no longer supported */
  readonly admin_user_profile_schema_create?: Maybe<UserProfileSchema>;
  /** @deprecated Field no longer supported */
  readonly admin_user_profile_schema_delete?: Maybe<UserProfileSchema>;
  /** @deprecated Field no longer supported */
  readonly admin_user_profile_schema_update?: Maybe<UserProfileSchema>;
  /** Ingot's own: ends one session of a user, or all of them. */
  readonly admin_user_sessions_end: ObjectCount;
  readonly api_call_send?: Maybe<ApiCallSendPayload>;
  /** Sends a message to the subscribers of a room, after the transaction is committed. */
  readonly channel_send_message?: Maybe<Scalars['String']['output']>;
  readonly constant_set: EncryptedConstant;
  readonly constant_unset?: Maybe<EncryptedConstant>;
  /** @deprecated Field no longer supported */
  readonly custom_image_create?: Maybe<CustomImage>;
  /** @deprecated Field no longer supported */
  readonly customization_create: Customization;
  /** @deprecated Field no longer supported */
  readonly customization_delete: Customization;
  /** @deprecated Field no longer supported */
  readonly customization_update: Customization;
  /** @deprecated Field no longer supported */
  readonly customizations_delete_all: ObjectCount;
  readonly data_export: DataExport;
  readonly data_export_delete: DataExport;
  readonly documents_bulk_upsert_rc?: Maybe<Scalars['HashObject']['output']>;
  readonly documents_delete_rc?: Maybe<Scalars['HashObject']['output']>;
  readonly documents_insert_rc?: Maybe<Scalars['HashObject']['output']>;
  readonly documents_upsert_rc?: Maybe<Scalars['HashObject']['output']>;
  readonly email_send?: Maybe<NotificationSendEmailPayload>;
  readonly embedding_create_rc: Embedding;
  readonly embedding_delete_rc: Embedding;
  readonly embedding_update_rc: Embedding;
  /** @deprecated Field no longer supported */
  readonly form_submit?: Maybe<FormSubmitPayload>;
  readonly import_models?: Maybe<ImportCustomizationsMutationPayload>;
  readonly import_users?: Maybe<ImportUsersMutationPayload>;
  /** @deprecated Field no longer supported */
  readonly jwt_decode_and_set_session?: Maybe<User>;
  /** @deprecated Field no longer supported */
  readonly log?: Maybe<LogEntry>;
  /** @deprecated Field no longer supported */
  readonly model_create: Model;
  /** @deprecated Field no longer supported */
  readonly model_delete: Model;
  /** @deprecated Field no longer supported */
  readonly model_update: Model;
  /** @deprecated Field no longer supported */
  readonly models_delete_all: ObjectCount;
  /** @deprecated Field no longer supported */
  readonly models_update_all: ObjectCount;
  readonly property_upload_presigned_url: PropertyUploadPresignedUrl;
  readonly record_create: Record;
  readonly record_delete: Record;
  readonly record_update: Record;
  readonly records_create_rc: ReadonlyArray<RecordCreate>;
  readonly records_delete_all: ObjectCount;
  readonly records_update_all: ObjectCount;
  readonly session_create_field?: Maybe<Scalars['HashObject']['output']>;
  readonly session_delete_field?: Maybe<Scalars['HashObject']['output']>;
  readonly sms_send?: Maybe<SmsSendPayload>;
  readonly upload_delete: ObjectUpload;
  readonly user_create?: Maybe<User>;
  readonly user_delete?: Maybe<User>;
  readonly user_otp_delete_token?: Maybe<UserOtpDeleteTokenInformation>;
  readonly user_otp_secret_refresh?: Maybe<UserOtpSecretRefreshInformation>;
  /** @deprecated Field no longer supported */
  readonly user_profile_delete: Profile;
  /** @deprecated Field no longer supported */
  readonly user_profiles_delete_all: ObjectCount;
  /** @deprecated Field no longer supported */
  readonly user_session_create?: Maybe<User>;
  /** @deprecated Field no longer supported */
  readonly user_session_destroy?: Maybe<Scalars['HashObject']['output']>;
  /** Ingot's own: creates a token with which a program acts as a user. It is valid for a number of days (1 to 365), until the password changes or the user is deleted. */
  readonly user_token_create?: Maybe<UserToken>;
  /** Ingot's own: revokes a token of this user. */
  readonly user_token_revoke?: Maybe<UserToken>;
  readonly user_update?: Maybe<User>;
  readonly users_delete_all: ObjectCount;
  readonly users_update_all: ObjectCount;
};


export type RootMutationactivity_createArgs = {
  payload: Scalars['ActivityStreamsPayload']['input'];
};


export type RootMutationactivity_delete_allArgs = {
  confirm?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationactivity_publishArgs = {
  at?: InputMaybe<Scalars['ISO8601DateTime']['input']>;
  feed_type: Scalars['String']['input'];
  ids: ReadonlyArray<InputMaybe<Scalars['ID']['input']>>;
  uuid: Scalars['ID']['input'];
};


export type RootMutationactivity_unpublishArgs = {
  record_id?: InputMaybe<Scalars['ID']['input']>;
  related_to_object?: InputMaybe<ActiveRecordReference>;
  uuid?: InputMaybe<Scalars['ID']['input']>;
};


export type RootMutationactivity_unpublish_allArgs = {
  confirm?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationadmin_api_call_notification_createArgs = {
  api_call_notification: ApiCallNotificationInputType;
};


export type RootMutationadmin_api_call_notification_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_api_call_notification_updateArgs = {
  api_call_notification: UpdateApiCallNotificationInputType;
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_asset_deleteArgs = {
  physical_file_path: Scalars['String']['input'];
};


export type RootMutationadmin_asset_delete_allArgs = {
  filter: MutationAssetsFilterInput;
  hard_delete?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationadmin_asset_updateArgs = {
  asset: AssetUpdateInput;
  physical_file_path: Scalars['String']['input'];
};


export type RootMutationadmin_asset_update_allArgs = {
  asset: AssetUpdateAllInput;
  filter: MutationAssetsFilterInput;
};


export type RootMutationadmin_assets_createArgs = {
  assets: ReadonlyArray<AssetInput>;
};


export type RootMutationadmin_assets_presign_urlsArgs = {
  paths: ReadonlyArray<AssetPresignInput>;
};


export type RootMutationadmin_authorization_policy_createArgs = {
  authorization_policy: AuthorizationPolicyInputType;
};


export type RootMutationadmin_authorization_policy_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_authorization_policy_updateArgs = {
  authorization_policy: UpdateAuthorizationPolicyInputType;
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_background_job_deleteArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationadmin_background_job_retryArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationadmin_background_jobs_delete_allArgs = {
  filter?: InputMaybe<BackgroundJobsFilterInput>;
};


export type RootMutationadmin_email_notification_createArgs = {
  email_notification: EmailNotificationInputType;
};


export type RootMutationadmin_email_notification_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_email_notification_delete_allArgs = {
  filter: EmailNotificationsFilterInput;
};


export type RootMutationadmin_email_notification_updateArgs = {
  email_notification: UpdateEmailNotificationInputType;
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_email_notification_update_allArgs = {
  email_notification: UpdateEmailNotificationInputType;
  filter: EmailNotificationsFilterInput;
};


export type RootMutationadmin_field_createArgs = {
  field: StandalonePropertyInputType;
};


export type RootMutationadmin_field_deleteArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationadmin_field_updateArgs = {
  field: UpdateStandalonePropertyInputType;
  id: Scalars['ID']['input'];
};


export type RootMutationadmin_form_createArgs = {
  form: FormInput;
};


export type RootMutationadmin_form_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_form_delete_allArgs = {
  filter: FormsFilterInput;
};


export type RootMutationadmin_form_updateArgs = {
  form: UpdateFormInput;
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_form_update_allArgs = {
  filter: FormsFilterInput;
  form: UpdateFormInput;
};


export type RootMutationadmin_graphql_createArgs = {
  graphql: GraphqlInputType;
};


export type RootMutationadmin_graphql_deleteArgs = {
  physical_file_path: Scalars['String']['input'];
};


export type RootMutationadmin_graphql_updateArgs = {
  graphql: UpdateGraphqlInputType;
  physical_file_path: Scalars['String']['input'];
};


export type RootMutationadmin_liquid_layout_createArgs = {
  liquid_layout: LiquidLayoutInputType;
};


export type RootMutationadmin_liquid_layout_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_liquid_layout_delete_allArgs = {
  filter: LiquidLayoutsFilterInput;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationadmin_liquid_layout_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  liquid_layout: UpdateLiquidLayoutInputType;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_liquid_layout_update_allArgs = {
  filter: LiquidLayoutsFilterInput;
  liquid_layout: UpdateLiquidLayoutInputType;
};


export type RootMutationadmin_liquid_partial_createArgs = {
  liquid_partial: LiquidPartialInputType;
};


export type RootMutationadmin_liquid_partial_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_liquid_partial_delete_allArgs = {
  filter: LiquidPartialsFilterInput;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationadmin_liquid_partial_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  liquid_partial: UpdateLiquidPartialInputType;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_liquid_partial_update_allArgs = {
  filter: LiquidPartialsFilterInput;
  liquid_partial: UpdateLiquidPartialInputType;
};


export type RootMutationadmin_model_schema_createArgs = {
  model_schema: ModelSchemaInputType;
};


export type RootMutationadmin_model_schema_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_model_schema_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  model_schema: UpdateModelSchemaInputType;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_page_createArgs = {
  page: PageInputType;
};


export type RootMutationadmin_page_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_page_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  page: UpdatePageInputType;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_page_update_allArgs = {
  filter: PageFilterInput;
  page: UpdatePageInputType;
};


export type RootMutationadmin_pages_delete_allArgs = {
  filter: PageFilterInput;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationadmin_property_createArgs = {
  property: StandalonePropertyInputType;
};


export type RootMutationadmin_property_deleteArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationadmin_property_updateArgs = {
  id: Scalars['ID']['input'];
  property: UpdateStandalonePropertyInputType;
};


export type RootMutationadmin_sms_notification_createArgs = {
  sms_notification: SmsNotificationInputType;
};


export type RootMutationadmin_sms_notification_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_sms_notification_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
  sms_notification: UpdateSmsNotificationInputType;
};


export type RootMutationadmin_table_createArgs = {
  table: TableInputType;
};


export type RootMutationadmin_table_deleteArgs = {
  physical_file_path: Scalars['String']['input'];
};


export type RootMutationadmin_table_updateArgs = {
  physical_file_path: Scalars['String']['input'];
  table: UpdateTableInputType;
};


export type RootMutationadmin_translation_setArgs = {
  translation: TranslationInputType;
};


export type RootMutationadmin_translation_set_jsonArgs = {
  strategy: TranslationJsonStrategy;
  translation: TranslationJsonInputType;
};


export type RootMutationadmin_translation_unsetArgs = {
  key: Scalars['String']['input'];
  locale: Scalars['String']['input'];
};


export type RootMutationadmin_user_profile_schema_createArgs = {
  user_profile_schema: UserProfileSchemaInputType;
};


export type RootMutationadmin_user_profile_schema_deleteArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationadmin_user_profile_schema_updateArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  physical_file_path?: InputMaybe<Scalars['String']['input']>;
  user_profile_schema: UpdateUserProfileSchemaInputType;
};


export type RootMutationadmin_user_sessions_endArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  user_id: Scalars['ID']['input'];
};


export type RootMutationapi_call_sendArgs = {
  api_call?: InputMaybe<ApiCallSendRequestInput>;
  data?: InputMaybe<Scalars['HashObject']['input']>;
  options?: InputMaybe<ApiCallSendOptions>;
  template?: InputMaybe<NotificationTemplateInput>;
};


export type RootMutationchannel_send_messageArgs = {
  channel_name: Scalars['String']['input'];
  payload: Scalars['JSONPayload']['input'];
  room_id: Scalars['String']['input'];
};


export type RootMutationconstant_setArgs = {
  name: Scalars['String']['input'];
  value: Scalars['String']['input'];
};


export type RootMutationconstant_unsetArgs = {
  name: Scalars['String']['input'];
};


export type RootMutationcustom_image_createArgs = {
  custom_image: NewCustomImageInputType;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationcustomization_createArgs = {
  customization?: InputMaybe<CustomizationInputType>;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  model?: InputMaybe<CustomizationInputType>;
};


export type RootMutationcustomization_deleteArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
};


export type RootMutationcustomization_updateArgs = {
  customization?: InputMaybe<CustomizationInputType>;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
  model?: InputMaybe<CustomizationInputType>;
};


export type RootMutationcustomizations_delete_allArgs = {
  all_custom_model_types?: InputMaybe<Scalars['Boolean']['input']>;
  all_model_schemas?: InputMaybe<Scalars['Boolean']['input']>;
  custom_model_type_name?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ModelsFilterInput>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationdata_exportArgs = {
  encryption?: InputMaybe<PropertyUploadEncryptionInput>;
  records?: InputMaybe<DataExportRecordsInput>;
  split_files?: InputMaybe<Scalars['Boolean']['input']>;
  users?: InputMaybe<DataExportUsersInput>;
};


export type RootMutationdata_export_deleteArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationdocuments_bulk_upsert_rcArgs = {
  documents: ReadonlyArray<InputMaybe<Scalars['HashObject']['input']>>;
  search_index: Scalars['String']['input'];
};


export type RootMutationdocuments_delete_rcArgs = {
  id: Scalars['ID']['input'];
  search_index: Scalars['String']['input'];
};


export type RootMutationdocuments_insert_rcArgs = {
  document: Scalars['HashObject']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  search_index: Scalars['String']['input'];
};


export type RootMutationdocuments_upsert_rcArgs = {
  document: Scalars['HashObject']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
  search_index: Scalars['String']['input'];
};


export type RootMutationemail_sendArgs = {
  data?: InputMaybe<Scalars['HashObject']['input']>;
  email?: InputMaybe<NotificationEmailInput>;
  template?: InputMaybe<NotificationTemplateInput>;
};


export type RootMutationembedding_create_rcArgs = {
  embedding: EmbeddingCreateInputType;
};


export type RootMutationembedding_delete_rcArgs = {
  id: Scalars['ID']['input'];
};


export type RootMutationembedding_update_rcArgs = {
  embedding: EmbeddingUpdateInputType;
  id: Scalars['ID']['input'];
};


export type RootMutationform_submitArgs = {
  fields: Scalars['HashObject']['input'];
  form_name: Scalars['String']['input'];
  id?: InputMaybe<Scalars['ID']['input']>;
};


export type RootMutationimport_modelsArgs = {
  _id_remap?: InputMaybe<Scalars['Boolean']['input']>;
  _index_rebuild?: InputMaybe<Scalars['Boolean']['input']>;
  models: ReadonlyArray<CustomizationImport>;
};


export type RootMutationimport_usersArgs = {
  _id_remap?: InputMaybe<Scalars['Boolean']['input']>;
  _index_rebuild?: InputMaybe<Scalars['Boolean']['input']>;
  users: ReadonlyArray<UserImport>;
};


export type RootMutationjwt_decode_and_set_sessionArgs = {
  jwt_algorithm?: InputMaybe<JwtAlgorithm>;
  jwt_token: Scalars['String']['input'];
};


export type RootMutationlogArgs = {
  message: Scalars['Any']['input'];
  type: LogEntryType;
};


export type RootMutationmodel_createArgs = {
  customization?: InputMaybe<CustomizationInputType>;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  model?: InputMaybe<CustomizationInputType>;
};


export type RootMutationmodel_deleteArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
};


export type RootMutationmodel_updateArgs = {
  customization?: InputMaybe<CustomizationInputType>;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
  model?: InputMaybe<CustomizationInputType>;
};


export type RootMutationmodels_delete_allArgs = {
  all_custom_model_types?: InputMaybe<Scalars['Boolean']['input']>;
  all_model_schemas?: InputMaybe<Scalars['Boolean']['input']>;
  custom_model_type_name?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<ModelsFilterInput>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationmodels_update_allArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  model: CustomizationInputType;
  model_schema_name: Scalars['String']['input'];
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationproperty_upload_presigned_urlArgs = {
  include_content_type?: InputMaybe<Scalars['Boolean']['input']>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
  presign_url?: InputMaybe<PresignUrl>;
  property_name: Scalars['String']['input'];
  table?: InputMaybe<Scalars['String']['input']>;
  user?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationrecord_createArgs = {
  form_name?: InputMaybe<Scalars['String']['input']>;
  record: RecordInputType;
};


export type RootMutationrecord_deleteArgs = {
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
  table?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationrecord_updateArgs = {
  _index_update?: InputMaybe<Scalars['Boolean']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
  record: RecordInputType;
};


export type RootMutationrecords_create_rcArgs = {
  records: ReadonlyArray<RecordsCreateInputType>;
};


export type RootMutationrecords_delete_allArgs = {
  any_table?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<RecordsFilterInput>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
  table?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationrecords_update_allArgs = {
  _index_update?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<RecordsFilterInput>;
  record: RecordInputType;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
  table: Scalars['String']['input'];
};


export type RootMutationsession_create_fieldArgs = {
  name: Scalars['String']['input'];
  value: Scalars['Any']['input'];
};


export type RootMutationsession_delete_fieldArgs = {
  name: Scalars['String']['input'];
};


export type RootMutationsms_sendArgs = {
  data?: InputMaybe<Scalars['HashObject']['input']>;
  sms?: InputMaybe<SmsSendInput>;
  template?: InputMaybe<NotificationTemplateInput>;
};


export type RootMutationupload_deleteArgs = {
  attribute_name?: InputMaybe<Scalars['String']['input']>;
  delete_all_properties?: InputMaybe<Scalars['Boolean']['input']>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
  upload_object_id: Scalars['ID']['input'];
  upload_object_type: ObjectsWithUploadsEnum;
};


export type RootMutationuser_createArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  user: UserInputType;
};


export type RootMutationuser_deleteArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
};


export type RootMutationuser_otp_delete_tokenArgs = {
  otp_name?: InputMaybe<Scalars['String']['input']>;
  user_id: Scalars['ID']['input'];
};


export type RootMutationuser_otp_secret_refreshArgs = {
  otp_name?: InputMaybe<Scalars['String']['input']>;
  user_id: Scalars['ID']['input'];
};


export type RootMutationuser_profile_deleteArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  profile_type: Scalars['String']['input'];
  user_id: Scalars['ID']['input'];
};


export type RootMutationuser_profiles_delete_allArgs = {
  all_user_profile_types?: InputMaybe<Scalars['Boolean']['input']>;
  user_id?: InputMaybe<Scalars['Int']['input']>;
  user_profile_type_name?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationuser_session_createArgs = {
  email?: InputMaybe<Scalars['String']['input']>;
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  password: Scalars['String']['input'];
  remember_me?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationuser_session_destroyArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
};


export type RootMutationuser_token_createArgs = {
  days?: InputMaybe<Scalars['Int']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  scope?: InputMaybe<UserTokenScope>;
  user_id: Scalars['ID']['input'];
};


export type RootMutationuser_token_revokeArgs = {
  id: Scalars['ID']['input'];
  user_id: Scalars['ID']['input'];
};


export type RootMutationuser_updateArgs = {
  form_configuration_name?: InputMaybe<Scalars['String']['input']>;
  form_name?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  user: UserInputType;
};


export type RootMutationusers_delete_allArgs = {
  all_users?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<UsersFilterInput>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootMutationusers_update_allArgs = {
  all_users?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<UsersFilterInput>;
  sync?: InputMaybe<Scalars['Boolean']['input']>;
  user: UserInputType;
};

export type RootQuery = {
  readonly activities?: Maybe<ActivityStreamsActivityCollection>;
  readonly admin_api_call_notifications: ApiCallNotificationCollection;
  readonly admin_assets: AssetCollection;
  readonly admin_assets_listing: AssetsListing;
  readonly admin_authorization_policies: AuthorizationPolicyCollection;
  readonly admin_background_jobs: BackgroundJobCollection;
  /** Ingot's own: the changes that people made in the studio. */
  readonly admin_changes: DataChangeCollection;
  /** Ingot's own: the processes with open WebSockets. */
  readonly admin_channel_processes: ChannelProcessCollection;
  /** Ingot's own: the rooms of channels with subscribers. Each process reports its hundred largest. */
  readonly admin_channel_rooms: ChannelRoomCollection;
  readonly admin_current_instance: Instance;
  readonly admin_email_notifications: EmailNotificationCollection;
  readonly admin_forms: FormCollection;
  readonly admin_graphql: GraphQueryCollection;
  readonly admin_instance_metrics: InstanceMetrics;
  readonly admin_liquid_layouts: LiquidLayoutCollection;
  readonly admin_liquid_partials: LiquidPartialCollection;
  /** Ingot's own: the entries of the site's log. */
  readonly admin_logs: LogRecordCollection;
  /** @deprecated Field no longer supported */
  readonly admin_model_schemas: ModelSchemaCollection;
  readonly admin_pages: PageCollection;
  /** Ingot's own: what `ingot check` reports about a site in development now; null where no compiler runs. */
  readonly admin_problems?: Maybe<ProblemCollection>;
  /** Ingot's own: the stored releases of the site, the newest first; null where no release is served. */
  readonly admin_releases?: Maybe<ReadonlyArray<SiteRelease>>;
  /** Ingot's own: a request or a job that a server in development has recorded. */
  readonly admin_request?: Maybe<RecordedRequest>;
  /** Ingot's own: what the database plans for a query of a recorded request, by its position in `queries`. The query does not run. */
  readonly admin_request_plan?: Maybe<Scalars['JSONPayload']['output']>;
  /** Ingot's own: the last requests and jobs of a server in development, the newest first; none in production. */
  readonly admin_requests: RecordedRequestCollection;
  readonly admin_search_index_rc?: Maybe<Scalars['HashObject']['output']>;
  readonly admin_sent_notifications: SentNotificationCollection;
  readonly admin_sms_notifications: SmsNotificationCollection;
  readonly admin_tables: TableCollection;
  readonly admin_third_party_integrations: ThirdPartyIntegrationCollection;
  readonly admin_transactable_schemas: TransactableSchemaCollection;
  /** Ingot's own: the texts of the site in its languages, from files and set at run time. */
  readonly admin_translations: SiteTranslationCollection;
  readonly admin_user_profile_schemas: UserProfileSchemaCollection;
  readonly admin_user_schema: UserSchema;
  /** Ingot's own: the open sessions of signed-in users. */
  readonly admin_user_sessions: UserSessionCollection;
  /** Ingot's own: the valid tokens with which programs act as users, without their texts. */
  readonly admin_user_tokens: UserTokenCollection;
  readonly admin_versions: VersionCollection;
  /** @deprecated Field no longer supported */
  readonly constant?: Maybe<EncryptedConstant>;
  readonly constants: EncryptedConstantCollection;
  readonly current_user?: Maybe<User>;
  /** @deprecated Field no longer supported */
  readonly customizations: ListingsCustomizationCollection;
  readonly data_exports: DataExportCollection;
  readonly documents_rc: IndexSearchCollection;
  readonly embeddings_rc: EmbeddingCollection;
  readonly feeds?: Maybe<ReadonlyArray<Maybe<ActivityStreamsFeed>>>;
  readonly handlers?: Maybe<ActivityStreamsHandlerCollection>;
  /** @deprecated Field no longer supported */
  readonly instance?: Maybe<Instance>;
  /** @deprecated Field no longer supported */
  readonly models: ModelCollection;
  /** @deprecated Field no longer supported */
  readonly pages: PageCollection;
  /** @deprecated Field no longer supported */
  readonly people: UserListingCollection;
  readonly records: RecordCollection;
  readonly remote_records: RecordCollection;
  readonly remote_users: UserCollection;
  readonly streams?: Maybe<ActivityStreamsActivityStreamCollection>;
  /** @deprecated Field no longer supported */
  readonly user?: Maybe<User>;
  readonly users: UserCollection;
};


export type RootQueryactivitiesArgs = {
  ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ActivitiesSortInput>>;
  uuids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


export type RootQueryadmin_api_call_notificationsArgs = {
  filter?: InputMaybe<ApiCallNotificationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ApiCallNotificationsSortInput>>;
};


export type RootQueryadmin_assetsArgs = {
  filter?: InputMaybe<QueryAssetsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<AssetsSortInput>>;
};


export type RootQueryadmin_assets_listingArgs = {
  id: Scalars['ID']['input'];
};


export type RootQueryadmin_authorization_policiesArgs = {
  filter?: InputMaybe<AuthorizationPoliciesFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<AuthorizationPoliciesSortInput>>;
};


export type RootQueryadmin_background_jobsArgs = {
  filter?: InputMaybe<BackgroundJobsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<BackgroundJobsSortInput>>;
};


export type RootQueryadmin_changesArgs = {
  filter?: InputMaybe<DataChangesFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<DataChangesSortInput>>;
};


export type RootQueryadmin_channel_processesArgs = {
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ChannelProcessesSortInput>>;
};


export type RootQueryadmin_channel_roomsArgs = {
  filter?: InputMaybe<ChannelRoomsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ChannelRoomsSortInput>>;
};


export type RootQueryadmin_email_notificationsArgs = {
  filter?: InputMaybe<EmailNotificationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<EmailNotificationsSortInput>>;
};


export type RootQueryadmin_formsArgs = {
  filter?: InputMaybe<FormsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<FormsSortInput>>;
};


export type RootQueryadmin_graphqlArgs = {
  filter?: InputMaybe<GraphqlFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<GraphqlSortInput>>;
};


export type RootQueryadmin_liquid_layoutsArgs = {
  filter?: InputMaybe<LiquidLayoutsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<LiquidLayoutsSortInput>>;
};


export type RootQueryadmin_liquid_partialsArgs = {
  filter?: InputMaybe<LiquidPartialsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<LiquidPartialsSortInput>>;
};


export type RootQueryadmin_logsArgs = {
  filter?: InputMaybe<LogRecordsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<LogRecordsSortInput>>;
};


export type RootQueryadmin_model_schemasArgs = {
  filter?: InputMaybe<ModelSchemasFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ModelSchemasSortInput>>;
};


export type RootQueryadmin_pagesArgs = {
  exclude?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<PageFilterInput>;
  has_key?: InputMaybe<Scalars['String']['input']>;
  metadata?: InputMaybe<Scalars['String']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<PagesSortInput>>;
  value?: InputMaybe<Scalars['String']['input']>;
};


export type RootQueryadmin_problemsArgs = {
  filter?: InputMaybe<ProblemsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
};


export type RootQueryadmin_requestArgs = {
  id: Scalars['ID']['input'];
};


export type RootQueryadmin_request_planArgs = {
  id: Scalars['ID']['input'];
  query: Scalars['Int']['input'];
};


export type RootQueryadmin_requestsArgs = {
  filter?: InputMaybe<RecordedRequestsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<RecordedRequestsSortInput>>;
};


export type RootQueryadmin_search_index_rcArgs = {
  search_index: Scalars['String']['input'];
};


export type RootQueryadmin_sent_notificationsArgs = {
  filter?: InputMaybe<SentNotificationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<SentNotificationsSortInput>>;
};


export type RootQueryadmin_sms_notificationsArgs = {
  filter?: InputMaybe<SmsNotificationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<SmsNotificationsSortInput>>;
};


export type RootQueryadmin_tablesArgs = {
  filter?: InputMaybe<TablesFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<TablesSortInput>>;
};


export type RootQueryadmin_third_party_integrationsArgs = {
  filter?: InputMaybe<ThirdPartyIntegrationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<ThirdPartyIntegrationsSortInput>>;
};


export type RootQueryadmin_transactable_schemasArgs = {
  filter?: InputMaybe<TransactableSchemasFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<TransactableSchemasSortInput>>;
};


export type RootQueryadmin_translationsArgs = {
  filter?: InputMaybe<SiteTranslationsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<SiteTranslationsSortInput>>;
};


export type RootQueryadmin_user_profile_schemasArgs = {
  filter?: InputMaybe<UserProfileSchemasFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UserProfileSchemasSortInput>>;
};


export type RootQueryadmin_user_sessionsArgs = {
  filter?: InputMaybe<UserSessionsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UserSessionsSortInput>>;
};


export type RootQueryadmin_user_tokensArgs = {
  filter?: InputMaybe<UserTokensFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UserTokensSortInput>>;
};


export type RootQueryadmin_versionsArgs = {
  filter?: InputMaybe<VersionFilterInput>;
  options?: InputMaybe<QueryOptionsInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<VersionSortInput>>;
};


export type RootQueryconstantArgs = {
  filter?: InputMaybe<EncryptedConstantFilterInput>;
};


export type RootQueryconstantsArgs = {
  filter?: InputMaybe<EncryptedConstantsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<EncryptedConstantsSortInput>>;
};


export type RootQuerycustomizationsArgs = {
  aggregations?: InputMaybe<ReadonlyArray<InputMaybe<ListingAggregation>>>;
  created_at?: InputMaybe<DateRange>;
  custom_model_type?: InputMaybe<QueryCustomModelType>;
  customizable_id?: InputMaybe<Scalars['ID']['input']>;
  customizable_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  customizable_type?: InputMaybe<Scalars['String']['input']>;
  external_id?: InputMaybe<Scalars['ID']['input']>;
  external_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  id?: InputMaybe<Scalars['ID']['input']>;
  ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  is_deleted?: InputMaybe<Scalars['Boolean']['input']>;
  model_schema?: InputMaybe<QueryModelSchema>;
  name?: InputMaybe<Scalars['String']['input']>;
  names?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  properties?: InputMaybe<ReadonlyArray<InputMaybe<QueryCustomAttribute>>>;
  query?: InputMaybe<Query>;
  sort?: InputMaybe<ReadonlyArray<InputMaybe<SortOrder>>>;
  updated_at?: InputMaybe<DateRange>;
  user_id?: InputMaybe<Scalars['ID']['input']>;
  user_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  without_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  without_names?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


export type RootQuerydata_exportsArgs = {
  filter?: InputMaybe<DataExportsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<DataExportsSortInput>>;
};


export type RootQuerydocuments_rcArgs = {
  aggregations?: InputMaybe<ReadonlyArray<InputMaybe<ListingAggregation>>>;
  filter?: InputMaybe<ReadonlyArray<IndexSearchFilterInput>>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  query?: InputMaybe<IndexSearchQuery>;
  search_index: Scalars['String']['input'];
  sort?: InputMaybe<ReadonlyArray<IndexSearchSortInput>>;
};


export type RootQueryembeddings_rcArgs = {
  filter?: InputMaybe<EmbeddingsFilterInput>;
  options?: InputMaybe<QueryOptionsInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<EmbeddingsSortInput>>;
};


export type RootQueryhandlersArgs = {
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
};


export type RootQuerymodelsArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  options?: InputMaybe<QueryOptionsInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


export type RootQuerypagesArgs = {
  exclude?: InputMaybe<Scalars['Boolean']['input']>;
  filter?: InputMaybe<PageFilterInput>;
  has_key?: InputMaybe<Scalars['String']['input']>;
  metadata?: InputMaybe<Scalars['String']['input']>;
  name?: InputMaybe<Scalars['String']['input']>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<PagesSortInput>>;
  value?: InputMaybe<Scalars['String']['input']>;
};


export type RootQuerypeopleArgs = {
  aggregations?: InputMaybe<ReadonlyArray<InputMaybe<ListingAggregation>>>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  query?: InputMaybe<Query>;
  sort?: InputMaybe<ReadonlyArray<InputMaybe<SortOrder>>>;
  user?: InputMaybe<QueryUser>;
};


export type RootQueryrecordsArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  options?: InputMaybe<QueryOptionsInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
};


export type RootQueryremote_recordsArgs = {
  endpoint: Endpoint;
  filter?: InputMaybe<RecordsFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
};


export type RootQueryremote_usersArgs = {
  endpoint: Endpoint;
  filter?: InputMaybe<UsersFilterInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


export type RootQuerystreamsArgs = {
  feed_id?: InputMaybe<Scalars['ID']['input']>;
  feed_name?: InputMaybe<Scalars['String']['input']>;
  feed_type: Scalars['String']['input'];
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page?: InputMaybe<Scalars['Int']['input']>;
  reset_last_read?: InputMaybe<Scalars['Boolean']['input']>;
};


export type RootQueryuserArgs = {
  email?: InputMaybe<Scalars['String']['input']>;
  external_id?: InputMaybe<Scalars['String']['input']>;
  id?: InputMaybe<Scalars['ID']['input']>;
  is_deleted?: InputMaybe<Scalars['Boolean']['input']>;
  options?: InputMaybe<QueryOptionsInput>;
  slug?: InputMaybe<Scalars['String']['input']>;
};


export type RootQueryusersArgs = {
  filter?: InputMaybe<UsersFilterInput>;
  options?: InputMaybe<QueryOptionsInput>;
  page?: InputMaybe<Scalars['Int']['input']>;
  per_page: Scalars['Int']['input'];
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};

export type SelectPropertyTypeEnum =
  | 'array'
  | 'boolean'
  | 'float'
  | 'int'
  | 'json'
  | 'object'
  | 'string';

/** A mail, text message or API call that was sent or failed. The options contain the error. */
export type SentNotification = {
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly notification_id: Scalars['ID']['output'];
  readonly notification_type: NotificationTypeEnum;
  readonly options?: Maybe<Scalars['HashObject']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of notifications. */
export type SentNotificationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<SentNotification>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type SentNotificationsFilterInput = {
  readonly content?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly notification_id?: InputMaybe<UniqIdFilter>;
  readonly notification_type?: InputMaybe<NotificationTypeFilter>;
  readonly or?: InputMaybe<ReadonlyArray<SentNotificationsFilterInput>>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type SentNotificationsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A stored build of the site. `rollback` is true for the release that a rollback activates; `refused` is the reason why a server could not serve it. */
export type SiteRelease = {
  readonly active: Scalars['Boolean']['output'];
  readonly bytes: Scalars['Float']['output'];
  readonly files: Scalars['Int']['output'];
  readonly id: Scalars['ID']['output'];
  readonly pushed_at: Scalars['JSONDate']['output'];
  readonly refused?: Maybe<Scalars['String']['output']>;
  readonly rollback: Scalars['Boolean']['output'];
  readonly servers: Scalars['Int']['output'];
};

/** Ingot's own: a text of the site in a language, from a file or set at run time. */
export type SiteTranslation = {
  /** The text of the file; null for a key that no file has. */
  readonly file_value?: Maybe<Scalars['Any']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly key: Scalars['String']['output'];
  readonly locale: Scalars['String']['output'];
  /** The time at which the text was set at run time; null for a text of a file. */
  readonly set_at?: Maybe<Scalars['JSONDate']['output']>;
  /** The text that the site shows: the one that was set, or otherwise the one of the file. */
  readonly value?: Maybe<Scalars['Any']['output']>;
};

/** One page of results. */
export type SiteTranslationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<SiteTranslation>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type SiteTranslationsFilterInput = {
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly is_set?: InputMaybe<BooleanFilter>;
  readonly key?: InputMaybe<StringFilter>;
  readonly locale?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<SiteTranslationsFilterInput>>;
  readonly value?: InputMaybe<StringFilter>;
};

export type SiteTranslationsSortInput = {
  readonly key?: InputMaybe<StandardSort>;
  readonly locale?: InputMaybe<StandardSort>;
  readonly set_at?: InputMaybe<StandardSort>;
};

/** A text message of the site. Settings are shown as written, including their Liquid. */
export type SmsNotification = {
  readonly content?: Maybe<Scalars['String']['output']>;
  readonly created_at: Scalars['JSONDate']['output'];
  readonly delay_by?: Maybe<Scalars['String']['output']>;
  readonly forms?: Maybe<ReadonlyArray<Form>>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly to: Scalars['String']['output'];
  readonly trigger_condition?: Maybe<Scalars['String']['output']>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of text messages. */
export type SmsNotificationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<SmsNotification>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type SmsNotificationInputType = {
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly form_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly to?: InputMaybe<Scalars['String']['input']>;
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type SmsNotificationsFilterInput = {
  readonly callback?: InputMaybe<StringFilter>;
  readonly content?: InputMaybe<StringFilter>;
  readonly created_at?: InputMaybe<DateFilter>;
  readonly delay?: InputMaybe<StringFilter>;
  readonly delay_by?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<SmsNotificationsFilterInput>>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly to?: InputMaybe<StringFilter>;
  readonly trigger_condition?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type SmsNotificationsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A text message without a template. The delay is in minutes. */
export type SmsSendInput = {
  readonly content: Scalars['String']['input'];
  readonly delay?: InputMaybe<Scalars['Int']['input']>;
  readonly to: Scalars['String']['input'];
};

/** Whether the text message was queued. */
export type SmsSendPayload = {
  /** @deprecated Field no longer supported */
  readonly errors: ReadonlyArray<BaseError>;
  readonly is_scheduled_to_send: Scalars['Boolean']['output'];
};

export type SortByFieldOrder = {
  readonly field_name: Scalars['String']['input'];
  readonly values: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};

export type SortOrder = {
  readonly field?: InputMaybe<SortByFieldOrder>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly order?: InputMaybe<Scalars['String']['input']>;
  readonly profile_field?: InputMaybe<Scalars['String']['input']>;
  readonly profile_property?: InputMaybe<Scalars['String']['input']>;
  readonly profile_type?: InputMaybe<Scalars['String']['input']>;
  readonly property_name?: InputMaybe<Scalars['String']['input']>;
};

export type SortOrderEnum =
  | 'ASC'
  | 'DESC';

/** The challenges that visitors must solve, with their options. */
export type SpamProtectionInput = {
  readonly hcaptcha?: InputMaybe<Scalars['HashObject']['input']>;
  readonly recaptcha_v2?: InputMaybe<Scalars['HashObject']['input']>;
  readonly recaptcha_v3?: InputMaybe<SpamProtectionRecaptchaV3Input>;
};

export type SpamProtectionRecaptchaV3Input = {
  readonly action: Scalars['String']['input'];
  readonly minimum_score?: InputMaybe<Scalars['Float']['input']>;
};

export type StandalonePropertyInputType = {
  readonly attribute_type?: InputMaybe<PropertyTypeEnum>;
  readonly belongs_to?: InputMaybe<Scalars['String']['input']>;
  readonly default_value?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name: Scalars['String']['input'];
  readonly options?: InputMaybe<PropertyUploadOptionsInput>;
  readonly target_id?: InputMaybe<Scalars['ID']['input']>;
  readonly target_type: PropertyTargetType;
};

export type StandardSort = {
  readonly order: SortOrderEnum;
  readonly order_by_values?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

export type StringFilter = {
  readonly case_sensitive?: InputMaybe<Scalars['Boolean']['input']>;
  readonly contains?: InputMaybe<Scalars['String']['input']>;
  readonly ends_with?: InputMaybe<Scalars['String']['input']>;
  readonly exact?: InputMaybe<Scalars['String']['input']>;
  readonly not_contains?: InputMaybe<Scalars['String']['input']>;
  readonly not_ends_with?: InputMaybe<Scalars['String']['input']>;
  readonly not_starts_with?: InputMaybe<Scalars['String']['input']>;
  readonly not_value?: InputMaybe<Scalars['String']['input']>;
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  readonly starts_with?: InputMaybe<Scalars['String']['input']>;
  readonly value?: InputMaybe<Scalars['String']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** A table, as its file declares it. */
export type Table = {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly fields: ReadonlyArray<Property>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly parameterized_name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly properties: ReadonlyArray<Property>;
  readonly records_count_rc: Scalars['Int']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of tables. */
export type TableCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Table>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type TableInputType = {
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

export type TablesFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<TablesFilterInput>>;
  readonly parameterized_name?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type TablesSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly parameterized_name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A service that the installation is registered with. Ingot has none: the keys of services are stored in constants. */
export type ThirdPartyIntegration = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly settings: Scalars['HashObject']['output'];
  readonly type: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of services. */
export type ThirdPartyIntegrationCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<ThirdPartyIntegration>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type ThirdPartyIntegrationsFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly or?: InputMaybe<ReadonlyArray<ThirdPartyIntegrationsFilterInput>>;
  readonly type?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type ThirdPartyIntegrationsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly type?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A type of transactables. Ingot has none: records have replaced them. */
export type TransactableSchema = {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly fields: ReadonlyArray<Property>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly parameterized_name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly properties: ReadonlyArray<Property>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of types of transactables. */
export type TransactableSchemaCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<TransactableSchema>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type TransactableSchemasFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<TransactableSchemasFilterInput>>;
  readonly parameterized_name?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type TransactableSchemasSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly name?: InputMaybe<StandardSort>;
  readonly parameterized_name?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A text in a language that overrides the text of the site. */
export type Translation = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly key: Scalars['String']['output'];
  readonly locale: Scalars['String']['output'];
  readonly updated_at: Scalars['JSONDate']['output'];
  readonly value: Scalars['String']['output'];
};

export type TranslationInputType = {
  readonly key: Scalars['String']['input'];
  readonly locale: Scalars['String']['input'];
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly value: Scalars['String']['input'];
};

/** The numbers of texts that were changed by a tree of texts. */
export type TranslationJson = {
  readonly deleted_records: Scalars['Int']['output'];
  readonly key: Scalars['String']['output'];
  readonly locale: Scalars['String']['output'];
  readonly strategy: TranslationJsonStrategy;
  readonly upserted_records: Scalars['Int']['output'];
  readonly value_json: Scalars['HashObject']['output'];
};

export type TranslationJsonInputType = {
  readonly key: Scalars['String']['input'];
  readonly locale: Scalars['String']['input'];
  readonly value_json: Scalars['HashObject']['input'];
};

export type TranslationJsonStrategy =
  | 'merge'
  | 'overwrite';

export type UniqIdFilter = {
  readonly not_value_in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly range?: InputMaybe<IdRangeFilter>;
  readonly value?: InputMaybe<Scalars['ID']['input']>;
  readonly value_in?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
};

export type UpdateApiCallNotificationInputType = {
  readonly callback?: InputMaybe<Scalars['String']['input']>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly headers?: InputMaybe<Scalars['HashObject']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly request_headers?: InputMaybe<Scalars['HashObject']['input']>;
  readonly request_type?: InputMaybe<Scalars['String']['input']>;
  readonly to?: InputMaybe<Scalars['String']['input']>;
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateAuthorizationPolicyInputType = {
  readonly content?: InputMaybe<Scalars['String']['input']>;
  readonly flash_alert?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateEmailNotificationInputType = {
  readonly attachments?: InputMaybe<Scalars['String']['input']>;
  readonly bcc?: InputMaybe<Scalars['String']['input']>;
  readonly cc?: InputMaybe<Scalars['String']['input']>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly from?: InputMaybe<Scalars['String']['input']>;
  readonly layout?: InputMaybe<Scalars['String']['input']>;
  readonly layout_path?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly reply_to?: InputMaybe<Scalars['String']['input']>;
  readonly subject?: InputMaybe<Scalars['String']['input']>;
  readonly to?: InputMaybe<Scalars['String']['input']>;
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateFormInput = {
  readonly async_callback_actions?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly async_callback_delay?: InputMaybe<Scalars['String']['input']>;
  readonly async_callback_max_attempts?: InputMaybe<Scalars['Int']['input']>;
  readonly async_callback_priority?: InputMaybe<AsyncCallbackPriority>;
  readonly authorization_policy_ids?: InputMaybe<ReadonlyArray<Scalars['ID']['input']>>;
  readonly callback_actions?: InputMaybe<Scalars['String']['input']>;
  readonly configuration?: InputMaybe<Scalars['HashObject']['input']>;
  readonly default_payload?: InputMaybe<Scalars['String']['input']>;
  readonly flash_alert?: InputMaybe<Scalars['String']['input']>;
  readonly flash_notice?: InputMaybe<Scalars['String']['input']>;
  readonly liquid_body?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
  readonly resource?: InputMaybe<Scalars['String']['input']>;
  readonly resource_owner?: InputMaybe<Scalars['String']['input']>;
  readonly response_headers?: InputMaybe<Scalars['String']['input']>;
  readonly spam_protection?: InputMaybe<SpamProtectionInput>;
};

export type UpdateGraphqlInputType = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly path?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateLiquidLayoutInputType = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** It must agree with the name of the file. */
  readonly format?: InputMaybe<PageFormat>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly path?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateLiquidPartialInputType = {
  readonly body?: InputMaybe<Scalars['String']['input']>;
  /** It must agree with the name of the file. */
  readonly format?: InputMaybe<PageFormat>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly path?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateModelSchemaInputType = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

export type UpdatePageInputType = {
  readonly authorization_policies?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  readonly authorization_policy_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** Refused, except null: use admin_page_delete. */
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly dynamic_cache_expire?: InputMaybe<Scalars['Int']['input']>;
  readonly dynamic_cache_key?: InputMaybe<Scalars['String']['input']>;
  readonly dynamic_cache_layout?: InputMaybe<Scalars['Boolean']['input']>;
  readonly format?: InputMaybe<PageFormat>;
  readonly handler?: InputMaybe<PageHandler>;
  readonly layout?: InputMaybe<Scalars['String']['input']>;
  readonly layout_name?: InputMaybe<Scalars['String']['input']>;
  /** Accepted, without effect: a full deploy removes every file that it does not contain. */
  readonly manually_managed?: InputMaybe<Scalars['Boolean']['input']>;
  readonly max_deep_level?: InputMaybe<Scalars['Int']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly redirect_code?: InputMaybe<PageRedifectCode>;
  readonly redirect_to?: InputMaybe<Scalars['String']['input']>;
  readonly request_method?: InputMaybe<PageRequestMethod>;
  readonly response_headers?: InputMaybe<Scalars['HashObject']['input']>;
  readonly searchable?: InputMaybe<Scalars['Boolean']['input']>;
  readonly slug?: InputMaybe<Scalars['String']['input']>;
  readonly static_cache_expire?: InputMaybe<Scalars['Int']['input']>;
  readonly subdomain?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateSmsNotificationInputType = {
  readonly content?: InputMaybe<Scalars['String']['input']>;
  /** In minutes. */
  readonly delay_by?: InputMaybe<Scalars['String']['input']>;
  /** Refused: forms name the notifications that they send. */
  readonly form_configuration_ids?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['ID']['input']>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly to?: InputMaybe<Scalars['String']['input']>;
  readonly trigger_condition?: InputMaybe<Scalars['String']['input']>;
};

export type UpdateStandalonePropertyInputType = {
  readonly attribute_type?: InputMaybe<PropertyTypeEnum>;
  readonly belongs_to?: InputMaybe<Scalars['String']['input']>;
  readonly default_value?: InputMaybe<Scalars['String']['input']>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly options?: InputMaybe<PropertyUploadOptionsInput>;
  readonly target_id?: InputMaybe<Scalars['ID']['input']>;
  readonly target_type?: InputMaybe<PropertyTargetType>;
};

export type UpdateTableInputType = {
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

export type UpdateUserProfileSchemaInputType = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path?: InputMaybe<Scalars['String']['input']>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

/** An account. */
export type User = PropertiesInterface & RemoteRecordsInterface & RemoteUsersInterface & {
  /** Checks credentials of this account. */
  readonly authenticate: Authenticate;
  readonly authentications?: Maybe<ReadonlyArray<Authentication>>;
  readonly created_at?: Maybe<Scalars['JSONDate']['output']>;
  /** The records that belong to the user: their customizable_type is User. name is that of their table. */
  readonly customizations?: Maybe<ReadonlyArray<Customization>>;
  /** The time of the soft deletion; null for a row that is not deleted. */
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly email: Scalars['String']['output'];
  /** The hash of the password. */
  readonly encrypted_password?: Maybe<Scalars['String']['output']>;
  readonly external_id?: Maybe<Scalars['String']['output']>;
  readonly first_name?: Maybe<Scalars['String']['output']>;
  readonly id?: Maybe<Scalars['ID']['output']>;
  /** A signed token of this account. It is valid until the password changes. expires_in is in seconds. */
  readonly jwt_token?: Maybe<Scalars['String']['output']>;
  readonly language?: Maybe<Scalars['String']['output']>;
  readonly last_name?: Maybe<Scalars['String']['output']>;
  readonly middle_name?: Maybe<Scalars['String']['output']>;
  readonly name?: Maybe<Scalars['String']['output']>;
  /** The one-time passwords under a name. The secret is created when it is first read. */
  readonly otp: Otp;
  /** The names under which the user has one-time passwords. */
  readonly otp_tokens: ReadonlyArray<Scalars['String']['output']>;
  /** @deprecated Field no longer supported */
  readonly profile?: Maybe<Profile>;
  readonly profiles: ReadonlyArray<Profile>;
  /** All properties, or the selected ones, as an object. */
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  /** Property as text; null when it is not set. */
  readonly property?: Maybe<Scalars['String']['output']>;
  /** Property as a list of texts. */
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  /** Property as a boolean; the texts t and f count as booleans. */
  readonly property_boolean?: Maybe<Scalars['Boolean']['output']>;
  /** Property as a float. */
  readonly property_float?: Maybe<Scalars['Float']['output']>;
  /** Property as an integer. */
  readonly property_int?: Maybe<Scalars['Int']['output']>;
  /** Property as JSON. */
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  /** Property parsed to an object. */
  readonly property_object?: Maybe<Scalars['HashObject']['output']>;
  /** The uploaded file. For a private file, expires_in (in seconds) is required. */
  readonly property_upload?: Maybe<PropertyUpload>;
  /**
   * Old name of related_record.
   * @deprecated Field no longer supported
   */
  readonly related_model?: Maybe<Model>;
  /**
   * Old name of related_records.
   * @deprecated Field no longer supported
   */
  readonly related_models?: Maybe<ReadonlyArray<Model>>;
  /** The row of another table whose foreign_property equals the join_on_property of this row: of several, the last of the sort, or without a sort the one with the lowest id. */
  readonly related_record?: Maybe<Record>;
  /** The rows of another table whose foreign_property equals the join_on_property of this row. An array matches with any of its elements. */
  readonly related_records?: Maybe<ReadonlyArray<Record>>;
  /** The user whose foreign_property equals the join_on_property of this row: of several, the last of the sort. */
  readonly related_user?: Maybe<User>;
  /** The users whose foreign_property equals the join_on_property of this row. */
  readonly related_users?: Maybe<ReadonlyArray<User>>;
  /** The records of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_records?: Maybe<ReadonlyArray<Record>>;
  /** The users of another site whose id equals the join_on_property of this row. An array matches with any of its elements. One request is sent for all rows. */
  readonly remote_users?: Maybe<ReadonlyArray<User>>;
  readonly slug: Scalars['String']['output'];
  /** A signed token of this account. It is valid until the password changes. expires_in is in hours. valid_for is its old name. */
  readonly temporary_token?: Maybe<Scalars['String']['output']>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
};


/** An account. */
export type UsercustomizationsArgs = {
  name?: InputMaybe<Scalars['String']['input']>;
  user_id?: InputMaybe<Scalars['ID']['input']>;
};


/** An account. */
export type Userjwt_tokenArgs = {
  algorithm?: InputMaybe<JwtAlgorithm>;
  expires_in?: InputMaybe<Scalars['Int']['input']>;
};


/** An account. */
export type UserotpArgs = {
  otp_name?: InputMaybe<Scalars['String']['input']>;
};


/** An account. */
export type UserprofileArgs = {
  profile_type: Scalars['String']['input'];
};


/** An account. */
export type UserprofilesArgs = {
  profile_type?: InputMaybe<Scalars['String']['input']>;
};


/** An account. */
export type UserpropertiesArgs = {
  select?: InputMaybe<ReadonlyArray<PropertiesFieldInput>>;
};


/** An account. */
export type UserpropertyArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_booleanArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_floatArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_intArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_objectArgs = {
  name: Scalars['String']['input'];
};


/** An account. */
export type Userproperty_uploadArgs = {
  expires_in?: InputMaybe<Scalars['Int']['input']>;
  name: Scalars['String']['input'];
};


/** An account. */
export type Userrelated_modelArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** An account. */
export type Userrelated_modelsArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  model_schema_name: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
  sort?: InputMaybe<ReadonlyArray<ModelsSortInput>>;
};


/** An account. */
export type Userrelated_recordArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property: Scalars['String']['input'];
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** An account. */
export type Userrelated_recordsArgs = {
  filter?: InputMaybe<RecordsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<RecordsSortInput>>;
  table: ReadonlyArray<InputMaybe<Scalars['String']['input']>>;
};


/** An account. */
export type Userrelated_userArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** An account. */
export type Userrelated_usersArgs = {
  filter?: InputMaybe<ModelsFilterInput>;
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  sort?: InputMaybe<ReadonlyArray<UsersSortInput>>;
};


/** An account. */
export type Userremote_recordsArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};


/** An account. */
export type Userremote_usersArgs = {
  endpoint: Endpoint;
  join_on_property: Scalars['String']['input'];
};


/** An account. */
export type Usertemporary_tokenArgs = {
  expires_in?: InputMaybe<Scalars['Float']['input']>;
  valid_for?: InputMaybe<Scalars['Int']['input']>;
};

/** A page of results, with the counters of pages. */
export type UserCollection = {
  /** The number of this page, starting at 1. */
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<User>>;
  /** The number of matches on all pages. */
  readonly total_entries: Scalars['Int']['output'];
  /** The number of pages with this per_page. */
  readonly total_pages: Scalars['Int']['output'];
};

export type UserImport = {
  readonly created_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly email: Scalars['String']['input'];
  readonly encrypted_password?: InputMaybe<Scalars['String']['input']>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly first_name?: InputMaybe<Scalars['String']['input']>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly last_name?: InputMaybe<Scalars['String']['input']>;
  readonly middle_name?: InputMaybe<Scalars['String']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly password?: InputMaybe<Scalars['String']['input']>;
  readonly profiles?: InputMaybe<ReadonlyArray<UserProfileImportType>>;
  readonly properties?: InputMaybe<Scalars['HashObject']['input']>;
  readonly slug: Scalars['String']['input'];
  readonly updated_at?: InputMaybe<Scalars['JSONDate']['input']>;
};

/** An account to write. */
export type UserInputType = {
  readonly authentications?: InputMaybe<ReadonlyArray<InputMaybe<AuthenticationInputType>>>;
  readonly deleted_at?: InputMaybe<Scalars['JSONDate']['input']>;
  readonly email?: InputMaybe<Scalars['String']['input']>;
  readonly external_id?: InputMaybe<Scalars['ID']['input']>;
  readonly first_name?: InputMaybe<Scalars['String']['input']>;
  readonly last_name?: InputMaybe<Scalars['String']['input']>;
  readonly middle_name?: InputMaybe<Scalars['String']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  /** The password as plain text, at least six characters. Only its hash is stored. */
  readonly password?: InputMaybe<Scalars['String']['input']>;
  readonly profiles?: InputMaybe<ReadonlyArray<InputMaybe<UserProfileInputType>>>;
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<CustomAttributeInputType>>>;
  readonly slug?: InputMaybe<Scalars['String']['input']>;
};

/** A user, as the old search returns it. */
export type UserListing = {
  readonly authentications?: Maybe<ReadonlyArray<Authentication>>;
  readonly created_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly deleted_at?: Maybe<Scalars['JSONDate']['output']>;
  readonly email: Scalars['String']['output'];
  readonly external_id?: Maybe<Scalars['ID']['output']>;
  readonly first_name?: Maybe<Scalars['String']['output']>;
  readonly id: Scalars['ID']['output'];
  readonly language?: Maybe<Scalars['String']['output']>;
  readonly last_name?: Maybe<Scalars['String']['output']>;
  readonly middle_name?: Maybe<Scalars['String']['output']>;
  readonly name: Scalars['String']['output'];
  readonly profile?: Maybe<ListingUserProfile>;
  readonly profiles?: Maybe<ReadonlyArray<ListingUserProfile>>;
  readonly properties?: Maybe<Scalars['HashObject']['output']>;
  readonly property?: Maybe<Scalars['String']['output']>;
  readonly property_array?: Maybe<ReadonlyArray<Scalars['String']['output']>>;
  readonly property_json?: Maybe<Scalars['JSONPayload']['output']>;
  readonly related_model?: Maybe<ListingsCustomization>;
  readonly related_models?: Maybe<ReadonlyArray<ListingsCustomization>>;
  readonly related_user?: Maybe<User>;
  readonly slug?: Maybe<Scalars['String']['output']>;
  readonly temporary_token?: Maybe<Scalars['String']['output']>;
  readonly updated_at?: Maybe<Scalars['JSONDate']['output']>;
};


/** A user, as the old search returns it. */
export type UserListingprofileArgs = {
  profile_type: Scalars['String']['input'];
};


/** A user, as the old search returns it. */
export type UserListingpropertyArgs = {
  name: Scalars['String']['input'];
};


/** A user, as the old search returns it. */
export type UserListingproperty_arrayArgs = {
  name: Scalars['String']['input'];
};


/** A user, as the old search returns it. */
export type UserListingproperty_jsonArgs = {
  name: Scalars['String']['input'];
};


/** A user, as the old search returns it. */
export type UserListingrelated_modelArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
  model_schema_name?: InputMaybe<Scalars['String']['input']>;
};


/** A user, as the old search returns it. */
export type UserListingrelated_modelsArgs = {
  foreign_property: Scalars['String']['input'];
  join_on_property: Scalars['String']['input'];
  model_schema_name?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
};


/** A user, as the old search returns it. */
export type UserListingrelated_userArgs = {
  foreign_property?: InputMaybe<Scalars['String']['input']>;
  join_on_property?: InputMaybe<Scalars['String']['input']>;
};


/** A user, as the old search returns it. */
export type UserListingtemporary_tokenArgs = {
  expires_in?: InputMaybe<Scalars['Float']['input']>;
  valid_for?: InputMaybe<Scalars['Int']['input']>;
};

/** One page of the old search. */
export type UserListingCollection = {
  readonly aggregations: Aggregations;
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  /** @deprecated Field no longer supported */
  readonly page: Scalars['Int']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<UserListing>>;
  readonly size: Scalars['Int']['output'];
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** The secret that was removed. */
export type UserOtpDeleteTokenInformation = {
  readonly otp_name?: Maybe<Scalars['String']['output']>;
  readonly status: Scalars['String']['output'];
  readonly user_id: Scalars['ID']['output'];
};

/** The secret that was created. */
export type UserOtpSecretRefreshInformation = {
  readonly otp_name?: Maybe<Scalars['String']['output']>;
  readonly status: Scalars['String']['output'];
  readonly user_id: Scalars['ID']['output'];
};

export type UserProfileImportType = {
  readonly addresses?: InputMaybe<ReadonlyArray<AddressImport>>;
  readonly attachments?: InputMaybe<ReadonlyArray<AttachmentsImport>>;
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  readonly images?: InputMaybe<ReadonlyArray<ImagesImport>>;
  readonly properties?: InputMaybe<Scalars['HashObject']['input']>;
  readonly type_name: Scalars['String']['input'];
};

/** A profile to write. */
export type UserProfileInputType = {
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly values?: InputMaybe<DefaultProfileInputType>;
};

/** A type of user profiles, as its file declares it. */
export type UserProfileSchema = {
  readonly created_at: Scalars['JSONDate']['output'];
  /** @deprecated Field no longer supported */
  readonly fields: ReadonlyArray<Property>;
  readonly id: Scalars['ID']['output'];
  readonly manually_managed?: Maybe<Scalars['Boolean']['output']>;
  readonly metadata?: Maybe<Scalars['HashObject']['output']>;
  readonly name: Scalars['String']['output'];
  readonly parameterized_name: Scalars['String']['output'];
  readonly physical_file_path?: Maybe<Scalars['String']['output']>;
  readonly properties: ReadonlyArray<Property>;
  readonly updated_at: Scalars['JSONDate']['output'];
};

/** One page of types of user profiles. */
export type UserProfileSchemaCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<UserProfileSchema>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type UserProfileSchemaInputType = {
  readonly fields?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
  readonly metadata?: InputMaybe<Scalars['HashObject']['input']>;
  readonly name?: InputMaybe<Scalars['String']['input']>;
  readonly physical_file_path: Scalars['String']['input'];
  readonly properties?: InputMaybe<ReadonlyArray<InputMaybe<NestedPropertyInputType>>>;
};

export type UserProfileSchemasFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbFilter>>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<UserProfileSchemasFilterInput>>;
  readonly parameterized_name?: InputMaybe<StringFilter>;
  readonly physical_file_path?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

export type UserProfileSchemasSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly metadata?: InputMaybe<ReadonlyArray<JsonbSort>>;
  readonly name?: InputMaybe<StandardSort>;
  readonly parameterized_name?: InputMaybe<StandardSort>;
  readonly physical_file_path?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** The declared properties of users. */
export type UserSchema = {
  readonly properties: ReadonlyArray<Property>;
};

/** Ingot's own: a session of a signed-in user. The id is a digest, with which no one can sign in. */
export type UserSession = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly expires_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  /** The time of the last visit, to the minute. */
  readonly seen_at: Scalars['JSONDate']['output'];
  readonly user_id: Scalars['ID']['output'];
};

/** One page of results. */
export type UserSessionCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<UserSession>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type UserSessionsFilterInput = {
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly or?: InputMaybe<ReadonlyArray<UserSessionsFilterInput>>;
  readonly user_id?: InputMaybe<UniqIdFilter>;
};

export type UserSessionsSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly seen_at?: InputMaybe<StandardSort>;
};

/** Ingot's own: a token with which a program acts as a user. */
export type UserToken = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly expires_at: Scalars['JSONDate']['output'];
  readonly id: Scalars['ID']['output'];
  readonly name: Scalars['String']['output'];
  readonly scope: Scalars['String']['output'];
  /** The text of the token. It is returned only when the token is created, because only a digest is stored. Null afterwards. */
  readonly token?: Maybe<Scalars['String']['output']>;
  readonly user_id: Scalars['ID']['output'];
};

/** One page of results. */
export type UserTokenCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<UserToken>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

/** Ingot's own: what a token of a user permits. site: pages and forms, as this user. read: pages, and all data in queries of /api/graph. write: also forms, and mutations of /api/graph. */
export type UserTokenScope =
  | 'read'
  | 'site'
  | 'write';

export type UserTokensFilterInput = {
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly or?: InputMaybe<ReadonlyArray<UserTokensFilterInput>>;
  readonly user_id?: InputMaybe<UniqIdFilter>;
};

export type UserTokensSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly expires_at?: InputMaybe<StandardSort>;
};

/** All given keys are joined with AND. */
export type UsersFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly deleted_at?: InputMaybe<DateFilter>;
  readonly email?: InputMaybe<StringFilter>;
  readonly external_id?: InputMaybe<UniqIdFilter>;
  readonly first_name?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly last_name?: InputMaybe<StringFilter>;
  readonly name?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<UsersFilterInput>>;
  readonly profiles?: InputMaybe<ReadonlyArray<ProfileFilterInput>>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertyFilterInput>>;
  readonly related_models?: InputMaybe<ReadonlyArray<RelatedModelsFilterInput>>;
  readonly related_records?: InputMaybe<ReadonlyArray<RelatedRecordsFilterInput>>;
  readonly related_users?: InputMaybe<ReadonlyArray<RelatedUsersFilterInput>>;
  readonly slug?: InputMaybe<StringFilter>;
  readonly updated_at?: InputMaybe<DateFilter>;
};

/** The sort keys of users. Give one key in each object. */
export type UsersSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly deleted_at?: InputMaybe<StandardSort>;
  readonly email?: InputMaybe<StandardSort>;
  readonly external_id?: InputMaybe<StandardSort>;
  readonly first_name?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly last_name?: InputMaybe<StandardSort>;
  readonly name?: InputMaybe<StandardSort>;
  readonly profile_properties?: InputMaybe<ReadonlyArray<PropertySort>>;
  readonly properties?: InputMaybe<ReadonlyArray<PropertySort>>;
  readonly slug?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
};

/** A file to create from content, or to fetch from a URL. */
export type ValueUploadInput = {
  readonly acl?: InputMaybe<PropertyUploadACL>;
  readonly cache_control?: InputMaybe<Scalars['String']['input']>;
  readonly content?: InputMaybe<Scalars['String']['input']>;
  readonly content_disposition?: InputMaybe<Scalars['String']['input']>;
  readonly content_type?: InputMaybe<Scalars['String']['input']>;
  readonly encryption?: InputMaybe<PropertyUploadEncryptionInput>;
  readonly file_path?: InputMaybe<Scalars['String']['input']>;
  readonly remote_url?: InputMaybe<Scalars['String']['input']>;
  readonly synchronous?: InputMaybe<Scalars['Boolean']['input']>;
  readonly type: ValueUploadInputTypeEnum;
};

export type ValueUploadInputTypeEnum =
  | 'image'
  | 'pdf'
  | 'plain';

export type VectorDistanceEnum =
  | 'euclidean';

/** Sorts by distance, the nearest vector first. */
export type VectorDistanceSort = {
  readonly embedding?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  readonly order: VectorDistanceEnum;
};

/** An earlier state of a row. Ingot does not store earlier states. */
export type Version = {
  readonly created_at: Scalars['JSONDate']['output'];
  readonly event: VersionAction;
  readonly id: Scalars['ID']['output'];
  readonly item_id: Scalars['ID']['output'];
  readonly item_type: VersionItemType;
  readonly resource?: Maybe<Scalars['HashObject']['output']>;
  readonly whodunnit?: Maybe<Scalars['String']['output']>;
};

export type VersionAction =
  | 'create'
  | 'destroy'
  | 'update';

/** One page of versions. */
export type VersionCollection = {
  readonly current_page: Scalars['Int']['output'];
  readonly has_next_page: Scalars['Boolean']['output'];
  readonly has_previous_page: Scalars['Boolean']['output'];
  readonly per_page: Scalars['Int']['output'];
  readonly results?: Maybe<ReadonlyArray<Version>>;
  readonly total_entries: Scalars['Int']['output'];
  readonly total_pages: Scalars['Int']['output'];
};

export type VersionFilterInput = {
  readonly created_at?: InputMaybe<DateFilter>;
  readonly event?: InputMaybe<StringFilter>;
  readonly id?: InputMaybe<UniqIdFilter>;
  readonly item_id?: InputMaybe<UniqIdFilter>;
  readonly item_type?: InputMaybe<StringFilter>;
  readonly or?: InputMaybe<ReadonlyArray<VersionFilterInput>>;
  readonly updated_at?: InputMaybe<DateFilter>;
  readonly whodunnit?: InputMaybe<StringFilter>;
};

export type VersionItemType =
  | 'Customization'
  | 'User'
  | 'UserProfile';

export type VersionSortInput = {
  readonly created_at?: InputMaybe<StandardSort>;
  readonly event?: InputMaybe<StandardSort>;
  readonly id?: InputMaybe<StandardSort>;
  readonly item_id?: InputMaybe<StandardSort>;
  readonly item_type?: InputMaybe<StandardSort>;
  readonly updated_at?: InputMaybe<StandardSort>;
  readonly whodunnit?: InputMaybe<StandardSort>;
};
