/** Names of services whose keys have neither a form nor a kind of their own. */

/** Unambiguous names, which may stand apart from the word for a key. */
export const serviceNames = (
  'abstractapi abuseipdb accuweather activecampaign adafruit adobe adyen aftership ahrefs airbrake airship alchemyapi ' +
  'alphavantage amadeus apifonica apify apitemplate appcenter appcues appfollow applitools appointedd appsflyer ' +
  'appsynergy appveyor atera audd autoklose avalara aviationstack ayrshare bamboohr bandwidth_api baremetrics beamer ' +
  'beebole betterstack bigcommerce bitbar bitly bitrise blazemeter blitapp blogger blynk bombbomb boostnote borgbase ' +
  'braintree brandfetch brightdata browserstack browshot bscscan buddyns bugherd bugsnag bulbul buttercms calendarific ' +
  'calendly calorieninja canva capsulecrm censys centralstationcrm chargebee chartmogul chatfuel checklyhq ' +
  'cicero clearbit clickfunnels clicksend clickup clockify cloudconvert cloudelements cloudimage cloudinary ' +
  'cloudmersive cloudplan cloudsight cloverly clustdoc codeclimate codequiry coinlayer coinmarketcap ' +
  'collect2 commercejs commercetools configcat contentful contentstack conversiontools convertapi convertkit copyscape ' +
  'coralogix craftmypdf crowdin cryptocompare currencyfreaks currencylayer currencyscoop currencycloud customerio ' +
  'd7network dandelion dareboost data.gov datagov dataforseo debounce deepai delighted detectify dfuse diffbot diggernaut ' +
  'disqus django docparser documo docusign dyspatch eagleeyenetworks edamam edenai elasticemail emailoctopus endorlabs ' +
  'etherscan ethplorer etsy eventbrite extractorapi fastforex feedier fetchrss fileio filestack finage ' +
  'financialmodelingprep findl finicity finnhub fixerio flagsmith flatio fleetbase flickr flightapi flightlabs ' +
  'flightstats flutterwave fmfw formbucket formcraft formio foursquare frameio freemius fulcrum fullcontact fullstory ' +
  'geckoboard geoapify geocodify geocodio ipifi getgist getresponse ghost_admin giphy gitter glassnode goodday graphcms ' +
  'graphhopper growthbook gtmetrix guardianapi gumroad gyazo happyscribe hellosign hiveage holidayapi ' +
  'honeybadger honeycomb hootsuite hotjar html2pdf hunterio iconfinder imagekit imagga imgbb infura instabot ' +
  'interseller intrinio ip2location ipapi ipdata ipgeolocation ipinfo ipinfodb ipquality ipstack iterable jotform ' +
  'launchdarkly coinapi coinlib closecrm sherpadesk jumpcloud jupiterone juro karmacrm keycdn kickbox klaviyo ' +
  'klipfolio knapsackpro kontent kylas languagelayer lark ' +
  'leadfeeder lemlist lendflow lessannoyingcrm lexigram linkedin linkpreview livestorm loadmill locationiq loggly ' +
  'loginradius logrocket logz logzio lokalise looker loyverse madkudu magicbell mailboxlayer mailerlite mailersend ' +
  'mailjet mailmodo mailsac mandrill mapquest marketstack mattermost maxmind mediastack meistertask meraki mesibo ' +
  'metrilo mindmeister mockaroo mojoauth monkeylearn moonclerk moosend moralis mouseflow myfreshworks myintervals ' +
  'nasdaq_api nasdaqdatalink nethunt newsapi newscatcher nexmo nftport nicereply nozbe nozbeteams numverify nutritionix ' +
  'nylas nytimes oanda omnisend onedesk onelogin onfido onwater oopspam opencagedata openuv openweather ' +
  'openweathermap optimizely overloop owlbot oxylabs pandadoc pandascore paperform paralleldots particle_io ' +
  'partnerstack passbase pastebin paymoapp pdflayer pdfshift peopledatalabs pepipost persona_api pexels phantombuster ' +
  'pingdom pinterest pipedream pipedrive pipefy pivotaltracker pixabay plaidkey planyo polygon_api positionstack ' +
  'postageapp powrbot prefect privateai prodpad prospectcrm proxycrawl pushbullet pushover pyowm qualaroo ' +
  'quickbase quicknode rapidapi rawg raygun rebrandly recaptcha recurly refiner rentman replyio requestfinance ' +
  'restpack retool rev_ai ritekit roaring rocketreach rollbar route4me runscope salesblink salescookie salesflare ' +
  'samsara satismeter saucelabs scalr scrapeowl scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee ' +
  'screenshotapi screenshotlayer securitytrails selectpdf semaphore_api sematext semrush sendinblue sendpulse serpapi ' +
  'serphouse serpstack shipday shipengine shipstation shodan shortcut_api shotstack shutterstock signable signalwire ' +
  'signaturit signupgenius simplesat simplynoted simvoly sinch skrapp skybiometry slashdb smartsheets smartystreets ' +
  'smooch sparkpost speechtext speechtextai splunk spoonacular sportsmonk sportradar spotify squarespace sslmate ' +
  'statuscake statuspage statuspal stitchdata stockdata stormboard stormglass storyblok storychief strava streak_api ' +
  'stripo stytch sugester supernotes surveyanyplace surveybot surveysparrow swiftype tableau tatumio taxjar ' +
  'teamgate teamworkcrm teamworkdesk teamworkspaces technicalanalysis tefter teletype telnyx textmagic thingsboard ' +
  'thingspeak ticketmaster tickettailor tiingo timecamp timezoneapi tmetric toggl toggltrack tomorrowio tomtom tradier ' +
  'transferwise transloadit twelvedata twist_api twitch tyntec typeform ubidots uclassify unify unplugg unsplash uplead ' +
  'uploadcare uptimerobot upwave urlscan userflow userstack vatlayer vbout vercelapi verifier veriphone versioneye ' +
  'viewneo viewdns virustotal visualcrossing vimeo voicegain voodoosms vultr wakatime waka_time walkscore weatherbit weatherstack ' +
  'web3storage webex webflow webscraper webscraping whoxy worksnaps workstack worldcoinindex worldweather wrike ' +
  'yelp youneedabudget yousign youtube_api zapierwebhook zenkit zenrows zenscrape zenserp zerobounce zerotier ' +
  'airbyte alpaca_api bitmex bitstamp checkout_secret dwolla dynatrace eodhistorical fauna faunadb gocardless huobi iexcloud ' +
  'infobip kaleyra klarna logdna lusha marketo marqeta mollie papertrail payoneer planhat poloniex quandl rapyd ' +
  'ringcentral segment_write smartling snov sumup surveymonkey tatum unisender upstash vonage wepay xendit xero zoominfo ' +
  'zipcodeapi zipcodebase zohocrm zonkafeedback zonka message_bird messagebird ' +
  'abyssale adzuna aeroworkflow airvisual alconost alegra aletheiaapi alienvault allsports ambee anypoint apacta ' +
  'api2cart apideck apiflash apilayer apimatic apimetrics appoptics apptivo avaza axonaut aylien bannerbear ' +
  'besnappy besttime billomat bitcoinaverage blocknative budibase bulksms caflou campayn captaindata ' +
  'carboninterface cashboard caspio cexio checio checkvist clarifai clickhelp clicksendsms cliengo clientary ' +
  'clinchpad clockworksms companyhub convier countrylayer currentsapi customerguru databox demio detectlanguage ' +
  'dnscheck dovico dronahq duosecurity duply dynalist easyinsight ecostruxureit enablex everhour exchangerate ' +
  'exchangerates faceplusplus fibery flowflu formsite fxmarket gengo geocode_api getemail getemails getgeoapi ' +
  'getsandbox gocanvas groovehq hasura helpcrunch helpscout hereapi hubapi hybiscus hypertrack iexapis insightly ' +
  'instamojo invoiceocean kanbantool keenio ladesk larksuite lemonsqueezy liveagent lunchmoney mavenlink ' +
  'meaningcloud metaapi metabase mixmax mrticktock neutrinoapi onepagecrm onfleet pagarme parsehub parseur ' +
  'paydirtapp paymongo photoroom pinata planview planviewleankit podio pollsapi portainer postbacks purestake ' +
  'qubole reachmail reallysimplesystems repairshopr revampcrm rockset ronin rownd runrunit salesmate scrutinizerci ' +
  'sheety sigopt simfin siteleaf snipcart solarwinds survicate tallyfy technicalanalysisapi testingbot ' +
  'textanywhere theoddsapi the_odds_api thinkific thousandeyes todoist tokeet travelpayouts typetalk upcdatabase ' +
  'vastai verimail vouchery vpnapi websitepulse wistia wpengine zeplin zipapi zipbooks zulip label_studio hockeyapp'
).split(' ')

/** Everyday words. Behind them, `key` or `token` must stand in the same identifier: `front_api_key`, `boxSecret`. */
export const commonServiceNames = (
  'aha alchemy apollo autopilot box branch canny chatbot column courier coveralls daily ditto enigma envoy eraser fixer flexport float front ' +
  'ghost graylog greenhouse guardian harvest holistic humanity hunter impala instantly karma lever lemon linear magnetic miro monday mux nasdaq nimble ' +
  'noticeable particle pendo percy polar privacy prospect protocols qase raven refine sanity segment shortcut split square streak swell teamwork tly ' +
  'travis twist unleash zoom'
).split(' ')
