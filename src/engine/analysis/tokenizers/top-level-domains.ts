/** Top-level domains that identify a host name without a scheme. */

const COUNTRIES = `
  ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca cc cd cf cg
  ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi
  gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky
  kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl
  no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr
  ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za
  zm zw`

const OTHERS = `
  academy accountant adult aero agency apartments app apple arpa art asia associates auction audio auto band bank bar bargains
  bayern beer berlin best bet bid bike bingo biz black blog blue boutique build builders business buzz cafe camera camp capital
  cards care career careers cars casa cash casino cat catering center chat cheap church city claims cleaning click clinic
  clothing cloud club coach codes coffee college cologne com community company computer condos construction consulting
  contractors cooking cool coop country coupons courses credit cricket cruises dance date dating deals degree delivery democrat
  dental dentist design dev diamonds diet digital direct directory discount doctor dog domains download earth edu education
  email energy engineer engineering enterprises equipment estate eus events exchange expert exposed express fail faith family
  fan fans farm fashion film finance financial fish fishing fit fitness flights florist flowers football forsale foundation fun
  fund furniture fyi gallery game games garden gift gifts gives glass global gmbh gold golf google gov graphics gratis green
  gripe group guide guitars guru hamburg health healthcare help hiphop hockey holdings holiday homes horse hospital host hosting
  house immo immobilien industries info ink institute insurance insure int international investments irish jetzt jewelry jobs
  juegos kaufen kim kitchen koeln land lat law lawyer lease legal lgbt life lighting limited limo link live loan loans lol
  london love ltd luxury maison management map market marketing mba media men menu miami mil mobi moda moe moi mom money
  mortgage movie museum name net news ninja nyc okinawa one ong online org organic page paris partners parts party pet photo
  photography photos pics pictures pink pizza place plumbing plus poker porn post press pro productions promo properties
  property pub racing recipes red rehab reise reisen rent rentals repair report republican rest restaurant review reviews rich
  rip rocks rodeo run sale salon sarl school schule science security services sex sexy shoes shop show singles site ski soccer
  social software solar solutions space sport store studio study style sucks supplies supply support surf surgery swiss systems
  tattoo tax taxi team tech technology tel tennis theater tienda tips tires today tokyo tools top tours town toys trade trading
  training travel tube university uno vacations vegas ventures vet viajes video villas vin vip vision vodka vote voyage wales
  wang watch webcam website wedding wien wiki win wine work works world wtf xxx xyz yoga zone`

export const TOP_LEVEL_DOMAINS: readonly string[] = `${COUNTRIES} ${OTHERS}`.trim().split(/\s+/)
